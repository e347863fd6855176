// Verifies signed codes by docs/seal-format.md, whose rules it names.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"regexp"
	"unicode/utf8"
)

func shortID(key Key) []byte {
	text := fmt.Sprintf(`{"crv":"%s","kty":"%s","x":"%s","y":"%s"}`, key.Crv, key.Kty, key.X, key.Y)
	thumbprint := sha256.Sum256([]byte(text))
	return thumbprint[:4]
}

// item reads an integer, bytes, text, null or array in its shortest form, and returns what is behind it (SF-5).
func item(data []byte) (value any, rest []byte, ok bool) {
	if len(data) == 0 || data[0] == 0xf6 {
		return nil, data[min(1, len(data)):], len(data) > 0
	}
	kind, n, at := data[0]>>5, uint64(data[0]&31), 1
	if n > 23 {
		at = 1 + 1<<(n-24)
		if n > 26 || len(data) < at {
			return nil, nil, false
		}
		n = binary.BigEndian.Uint64(append(make([]byte, 9-at), data[1:at]...))
		if n < 24 || at > 2 && n < 1<<(4*(at-1)) {
			return nil, nil, false
		}
	}
	rest = data[at:]
	switch {
	case kind == 0:
		return int64(n), rest, true
	case kind == 1:
		return -1 - int64(n), rest, true
	case kind > 4 || n > uint64(len(rest)):
		return nil, nil, false
	case kind == 2:
		return rest[:n], rest[n:], true
	case kind == 3:
		return string(rest[:n]), rest[n:], utf8.Valid(rest[:n])
	}
	values := []any{}
	for ok = true; n > 0 && ok; n-- {
		var value any
		value, rest, ok = item(rest)
		_, isArray := value.([]any)
		ok = ok && !isArray
		values = append(values, value)
	}
	return values, rest, ok
}

func isStatement(v []any) bool { // SF-6
	is := func(value any, from, to int64) bool { n, ok := value.(int64); return ok && from <= n && n <= to }
	hash := func(value any, size int) bool { b, ok := value.([]byte); return ok && len(b) == size }
	day := func(value any) bool { return is(value, -2932896, 2932896) }
	if len(v) != 10 {
		return false
	}
	number, isText := v[1].(string)
	for _, n := range []any{v[2], v[6], v[7], v[8], v[9]} {
		if !is(n, 1, 1<<32) {
			return false
		}
	}
	return (hash(v[1], 8) || isText && number != "" && len(number) <= 24) && day(v[3]) && (v[4] == nil || day(v[4])) &&
		(v[5] == nil || hash(v[5], 16)) && v[7].(int64) <= v[8].(int64)
}

var signed = regexp.MustCompile(`^(https?://[^\s?#]+/v/([0-9A-HJKMNP-TV-Z]{17}))/([0-9]{1,400})$`)
var sizes = map[int]int{3: 1, 5: 2, 8: 3, 10: 4, 13: 5, 15: 6, 17: 7}

// code returns what a signed code states, its document's code and its key, and a word for the result (SF-1 to SF-9).
func code(text string, keys []Key) (values []any, number string, by Key, result string) {
	match := signed.FindStringSubmatch(text)
	if match == nil {
		return nil, "", by, "unreadable"
	}
	message := []byte{}
	for digits := match[3]; digits != ""; {
		group := digits[:min(17, len(digits))]
		digits = digits[len(group):]
		value, _ := new(big.Int).SetString(group, 10)
		if size := sizes[len(group)]; size == 0 || value.BitLen() > 8*size {
			return nil, "", by, "unreadable"
		}
		message = append(message, value.FillBytes(make([]byte, sizes[len(group)]))...)
	}
	if at := len(message) - 68; at > 0 && message[0] != 0xd2 { // SF-14
		head := []byte{0xa0, 0x58, byte(at)}
		if at < 24 {
			head = []byte{0xa0, 0x40 | byte(at)}
		}
		begin := []byte{0xd2, 0x84, 0x49, 0xa2, 1, 0x26, 4, 0x44}
		parts := [][]byte{begin, message[at : at+4], head, message[:at], {0x58, 64}, message[at+4:]}
		message = bytes.Join(parts, nil)
	}
	end := len(message) - 66
	if end < 15 || hex.EncodeToString(message[:8]) != "d28449a201260444" || message[12] != 0xa0 || message[end] != 0x58 || message[end+1] != 64 {
		return nil, "", by, "unreadable"
	}
	payload, behind, isBytes := item(message[13:end])
	content, _ := payload.([]byte)
	array, more, isWhole := item(content)
	values, _ = array.([]any)
	if !isBytes || !isWhole || len(behind)+len(more) > 0 || len(values) == 0 {
		return nil, "", by, "unreadable"
	}
	version, _ := values[0].(int64)
	if version < 1 || version == 1 && !isStatement(values) {
		return nil, "", by, "unreadable"
	}
	length := append([]byte{0x58}, byte(len(match[1])))
	parts := [][]byte{[]byte("\x84\x6aSignature1"), message[2:12], length, []byte(match[1]), message[13:end]}
	result = "unknown key"
	for _, key := range keys {
		if !bytes.Equal(shortID(key), message[8:12]) {
			continue
		}
		if result = "altered"; es256(key, message[end+2:], bytes.Join(parts, nil)) {
			by, result = key, "genuine"
			break
		}
	}
	if result == "genuine" && by.Revoked != nil {
		result = "revoked key"
	} else if result == "genuine" && version > 1 {
		result = "newer"
	}
	return values, match[2], by, result
}
