// Verifies status lists by docs/seal-format.md, whose rules it names.
package main

import (
	"bytes"
	"compress/zlib"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/big"
	"strings"
)

type Key struct {
	Kty, Crv, X, Y, Kid string
	Name                string `json:"iss_name"`
	List                string `json:"status_list"`
	Revoked             *int64 `json:"revoked_at"`
}

var part = base64.RawURLEncoding.Strict().DecodeString

func es256(key Key, signature, message []byte) bool { // SF-3
	x, errX := part(key.X)
	y, errY := part(key.Y)
	public := ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
	if errX != nil || errY != nil || len(signature) != 64 || !public.IsOnCurve(public.X, public.Y) {
		return false
	}
	digest := sha256.Sum256(message)
	return ecdsa.Verify(&public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
}

func min(a, b int) int { // Of Go 1.21
	if a < b {
		return a
	}
	return b
}

type List struct {
	Sub      string
	Iat, Exp int64
	Salt     string `json:"code_salt"`
	Status   struct {
		Bits int
		Lst  string
	} `json:"status_list"`
}

// status returns what a list says of a code whose signature was verified, now or (0) when it was made (SF-20 to SF-27).
func status(token string, keys []Key, by Key, number string, date, now int64) string {
	var header struct{ Alg, Typ, Kid string }
	var list List
	parts := strings.Split(strings.TrimSpace(token), ".")
	if len(parts) != 3 {
		return "no list"
	}
	var decoded [3][]byte
	for n, text := range parts {
		var err error
		if decoded[n], err = part(text); err != nil {
			return "no list"
		}
	}
	if json.Unmarshal(decoded[0], &header) != nil || json.Unmarshal(decoded[1], &list) != nil {
		return "no list"
	}
	isSigned := false
	for _, key := range keys {
		isSigned = isSigned || key.Kid == header.Kid && key.List == list.Sub && key.List == by.List && key.List != "" &&
			key.Revoked == nil && es256(key, decoded[2], []byte(parts[0]+"."+parts[1]))
	}
	salt, errSalt := part(list.Salt)
	packed, errList := part(list.Status.Lst)
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if !isSigned || header.Alg != "ES256" || header.Typ != "statuslist+jwt" || list.Status.Bits != 2 || errSalt != nil || errList != nil || err != nil {
		return "no list"
	}
	entries, err := io.ReadAll(io.LimitReader(reader, 1<<24+1))
	count := uint32(len(entries) * 4)
	if err != nil || count < 1<<15 || count > 1<<26 || count&(count-1) != 0 {
		return "no list"
	}
	if now != 0 && (now < list.Iat-300 || now > list.Exp) {
		return "outdated"
	}
	digest := sha256.Sum256(append(salt, number...))
	at := binary.BigEndian.Uint32(digest[:4]) % count
	answer := []string{"in force", "ended", "ask online", "ask online"}[entries[at/4]>>(at%4*2)&3]
	if answer == "ended" && date >= list.Iat/86400-1 {
		return "ask online"
	}
	return answer
}
