// Verifies log proofs by docs/seal-format.md, whose rules it names.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// NoteKey is NAME+ID+KEY, the first byte of which is 1 for a log and 4 for a witness (SF-84).
type NoteKey struct {
	name  string
	typed []byte
}

func hashed(parts ...[]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return sum[:]
}

func base64Of(text string) []byte {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	need(err == nil && base64.StdEncoding.EncodeToString(data) == text, "no proof")
	return data
}

func (key NoteKey) id() []byte { return hashed([]byte(key.name+"\n"), key.typed)[:4] }

func noteKey(text string) NoteKey {
	parts := strings.SplitN(strings.TrimSpace(text), "+", 3)
	need(len(parts) == 3, "no key")
	key := NoteKey{parts[0], base64Of(parts[2])}
	need(len(key.typed) == 33 && hex.EncodeToString(key.id()) == parts[1], "no key")
	return key
}

var signatureLine = regexp.MustCompile(`^— (\S+) (\S+)$`)

// isSigned says whether a key signed a checkpoint (SF-84), or cosigned it and when (SF-86).
func isSigned(text string, lines []string, key NoteKey) (bool, uint64) {
	for _, line := range lines {
		match := signatureLine.FindStringSubmatch(line)
		need(match != nil, "no proof")
		signature := base64Of(match[2])
		need(len(signature) > 4, "no proof")
		if match[1] != key.name || !bytes.Equal(signature[:4], key.id()) {
			continue
		}
		message, at := text, uint64(0)
		signature = signature[4:]
		if key.typed[0] == 4 && len(signature) > 8 {
			at, signature = binary.BigEndian.Uint64(signature), signature[8:]
			message = fmt.Sprintf("cosignature/v1\ntime %d\n%s", at, text)
		}
		need(ed25519.Verify(key.typed[1:], []byte(message), signature), "not signed")
		return true, at
	}
	return false, 0
}

// rootOf returns the root of a tree (RFC 9162, 2.1.3.2; SF-83).
func rootOf(index, size int, root []byte, hashes [][]byte) []byte {
	at, last := index, size-1
	for _, sibling := range hashes {
		need(last > 0, "not in the log")
		if at&1 == 1 || at == last {
			root = hashed([]byte{1}, sibling, root)
			for at&1 == 0 && at > 0 {
				at, last = at>>1, last>>1
			}
		} else {
			root = hashed([]byte{1}, root, sibling)
		}
		at, last = at>>1, last>>1
	}
	need(last == 0, "not in the log")
	return root
}

var proofHead = regexp.MustCompile(`^c2sp\.org/tlog-proof@v1\nextra (\S+)\nindex (0|[1-9]\d{0,15})((?:\n\S{44})*)$`)
var codeIn = regexp.MustCompile(`(?:/v/|^)(\w{17})`)
var sizeLine = regexp.MustCompile(`^(0|[1-9]\d{0,15})$`)

// proof returns a document's entry and how many witnesses have seen it (SF-80 to SF-87). It panics with why it is refused.
func proof(content string, log NoteKey, code string, witnesses []NoteKey) (entry string, seen int) {
	head, note, _ := strings.Cut(content, "\n\n")
	match, end := proofHead.FindStringSubmatch(head), strings.LastIndex(note, "\n\n")
	need(match != nil && end >= 0 && strings.HasSuffix(note, "\n"), "no proof")
	text, signatures := note[:end+1], strings.Split(note[end+2:len(note)-1], "\n")
	lines := strings.Split(text, "\n")
	need(len(lines) > 3 && sizeLine.MatchString(lines[1]), "no proof")
	isByLog, _ := isSigned(text, signatures, log)
	need(lines[0] == log.name && isByLog, "not signed")
	hashes := [][]byte{}
	for _, line := range strings.Fields(match[3]) {
		hashes = append(hashes, base64Of(line))
		need(len(hashes[len(hashes)-1]) == 32, "not in the log")
	}
	index, _ := strconv.Atoi(match[2])
	size, _ := strconv.Atoi(lines[1])
	preimage := base64Of(match[1])
	need(index < size && len(preimage) > 16, "not in the log")
	leaf := hashed([]byte{0}, hashed(preimage))
	need(bytes.Equal(rootOf(index, size, leaf, hashes), base64Of(lines[2])), "not in the log")
	entered, text2, _ := strings.Cut(string(preimage[16:]), "\n")
	var record struct {
		Document string
		Copies   []string
	}
	need(json.Unmarshal([]byte(text2), &record) == nil, "another document")
	digest, isOf := base64.RawURLEncoding.EncodeToString(hashed([]byte(code))), false
	for _, one := range append(record.Copies, record.Document) {
		isOf = isOf || one == digest
	}
	need(isOf, "another document")
	for _, key := range witnesses {
		if isSeen, _ := isSigned(text, signatures, key); isSeen {
			seen++
		}
	}
	return fmt.Sprintf("no. %d at %s: %s", index, entered, text2), seen
}

// logOf returns a document's entry, and the result.
func logOf(one Case) (entry, result string) {
	defer orReason(&result)
	witnesses := []NoteKey{}
	for _, text := range one.Witnesses {
		witnesses = append(witnesses, noteKey(text))
	}
	match := codeIn.FindStringSubmatch(one.Code)
	need(match != nil, "another document")
	entry, seen := proof(one.Proof, noteKey(one.Key), match[1], witnesses)
	if len(witnesses) > 0 {
		return entry, fmt.Sprintf("entered, seen by %d", seen)
	}
	return entry, "entered"
}
