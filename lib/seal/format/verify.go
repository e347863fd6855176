// Verifies what docs/seal-format.md describes. Needs Debian's golang-go alone.
//
//	go run *.go code ADDRESS jwks.json [list.jwt]    what a signed code says, and if it was in force when the list was made
//	go run *.go pdf FILE root.pem                    who sealed all of a PDF, and the digest that its code states
//	go run *.go log FILE LOG_KEY CODE [WITNESS_KEY]...  when a document was entered in the log, and by how many that was seen
//	go run *.go vectors FILE...                      the result for each test vector
package main

import (
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"time"
)

// Case is a test vector: of a log proof, of a code, perhaps with a list, or of a PDF.
type Case struct {
	ID, Code, List, Digest string
	Proof, Key             string
	Witnesses              []string
	Keys                   []Key
	Now                    int64
	PDF, Root              []byte
	Edits                  []struct {
		At   int
		Text string
	}
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return content
}

// orReason makes a panic the result.
func orReason(result *string) {
	if reason := recover(); reason != nil {
		*result = "broken"
		if word, ok := reason.(string); ok {
			*result = word
		}
	}
}

func resultOf(one Case) string {
	if one.Proof != "" {
		_, result := logOf(one)
		return result
	}
	if one.Code != "" {
		values, number, by, result := code(one.Code, one.Keys)
		if result == "genuine" && one.List != "" {
			return status(one.List, one.Keys, by, number, values[3].(int64), one.Now)
		}
		return result
	}
	for _, edit := range one.Edits {
		one.PDF = append(append(append([]byte{}, one.PDF[:edit.At]...), edit.Text...), one.PDF[min(edit.At+len(edit.Text), len(one.PDF)):]...)
	}
	root, _ := x509.ParseCertificate(one.Root)
	_, digest, result := sealOf(one.PDF, root)
	if result == "valid" && digest != one.Digest {
		return "another file"
	}
	return result
}

func vectors(path string) {
	var file struct {
		Shared json.RawMessage
		Cases  []json.RawMessage
	}
	json.Unmarshal(read(path), &file)
	for _, content := range file.Cases {
		var one Case
		if json.Unmarshal(file.Shared, &one) != nil || json.Unmarshal(content, &one) != nil {
			panic(path)
		}
		fmt.Printf("%s\t%s\n", one.ID, resultOf(one))
	}
}

func main() {
	result := "genuine"
	switch os.Args[1] {
	case "vectors":
		for _, path := range os.Args[2:] {
			vectors(path)
		}
	case "log":
		var entry string
		one := Case{Proof: string(read(os.Args[2])), Key: os.Args[3], Code: os.Args[4], Witnesses: os.Args[5:]}
		if entry, result = logOf(one); strings.HasPrefix(result, "entered") {
			fmt.Println(result+":", entry)
			result = "genuine"
		}
	case "pdf":
		var leaf *x509.Certificate
		var digest string
		result = "untrusted"
		for block, rest := pem.Decode(read(os.Args[3])); block != nil && result == "untrusted"; block, rest = pem.Decode(rest) {
			root, _ := x509.ParseCertificate(block.Bytes)
			leaf, digest, result = sealOf(read(os.Args[2]), root)
		}
		if result == "valid" {
			fmt.Println("valid: sealed by", leaf.Subject, "digest", digest)
			result = "genuine"
		}
	case "code":
		var set struct{ Keys []Key }
		json.Unmarshal(read(os.Args[3]), &set)
		var values []any
		var number string
		var by Key
		if values, number, by, result = code(os.Args[2], set.Keys); result == "genuine" {
			for n, value := range values {
				if digest, ok := value.([]byte); ok {
					values[n] = hex.EncodeToString(digest)
				}
			}
			fmt.Println("genuine:", values, "by", by.Kid, by.Name)
		}
		if result == "genuine" && len(os.Args) > 4 {
			token := string(read(os.Args[4]))
			if result = status(token, set.Keys, by, number, values[3].(int64), 0); result == "in force" {
				var list List
				claims, _ := part(strings.Split(token, ".")[1])
				json.Unmarshal(claims, &list)
				fmt.Println(result, "at", time.Unix(list.Iat, 0).UTC())
				result = "genuine"
			}
		}
	}
	if result != "genuine" {
		fmt.Println("refused:", result)
		os.Exit(1)
	}
}
