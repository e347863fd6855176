// Verifies the seals of PDFs by docs/seal-format.md, whose rules it names.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
)

var patterns = []*regexp.Regexp{
	regexp.MustCompile(`/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]`),
	regexp.MustCompile(`/Sealdesk <<\s*/V 1\s*/Skip \[ *(\d+) +(\d+) *\]`),
}

// places returns where signature and stamp are: the last ones that the file names.
func places(data []byte) (signature, stamp []int) {
	var found [2][]int
	for n, pattern := range patterns {
		if all := pattern.FindAllSubmatch(data, -1); len(all) > 0 {
			for _, digits := range all[len(all)-1][1:] {
				number, err := strconv.Atoi(string(digits))
				if err != nil {
					number = -1
				}
				found[n] = append(found[n], number)
			}
		}
	}
	return found[0], found[1]
}

// inner returns the elements within an element of DER, up to `most`.
func inner(content []byte, most int) (elements []asn1.RawValue) {
	for len(content) > 0 && len(elements) < most {
		var element asn1.RawValue
		rest, err := asn1.Unmarshal(content, &element)
		if err != nil {
			panic("broken")
		}
		elements, content = append(elements, element), rest
	}
	return elements
}

// at returns the content of an element within an element, by their positions.
func at(content []byte, path ...int) []byte {
	for _, n := range path {
		content = inner(content, n+1)[n].Bytes
	}
	return content
}

func algorithmOf(certificate *x509.Certificate) x509.SignatureAlgorithm {
	if certificate.PublicKeyAlgorithm == x509.RSA {
		return x509.SHA256WithRSA
	}
	return x509.ECDSAWithSHA256
}

var isHex = regexp.MustCompile(`^([0-9a-fA-F]{2})+$`)

// seal returns who sealed all of a PDF, and its digest (SF-40 to SF-46). It panics with why it is refused.
func seal(data []byte, root *x509.Certificate) (*x509.Certificate, string) {
	signature, stamp := places(data)
	need(signature != nil, "not signed")
	start, end, rest := signature[0], signature[1], signature[2]
	need(0 <= start && start < end && end+rest == len(data) && data[start] == '<' && data[end-1] == '>', "not whole")
	need(isHex.Match(data[start+1:end-1]), "broken")
	cms, _ := hex.DecodeString(string(data[start+1 : end-1]))
	content := inner(at(cms, 0, 1, 0), 9)
	signer := inner(content[len(content)-1].Bytes, 9)[0].Bytes
	fields := inner(signer, 9)
	covered := sha256.Sum256(append(append([]byte{}, data[:start]...), data[end:]...))
	var stated []byte
	isSame := false
	for _, attribute := range inner(fields[3].Bytes, 99) {
		switch hex.EncodeToString(inner(attribute.Bytes, 1)[0].FullBytes) {
		case "06092a864886f70d010904":
			isSame = bytes.Equal(at(attribute.Bytes, 1, 0), covered[:])
		case "060b2a864886f70d010910022f":
			for _, element := range inner(at(attribute.Bytes, 1, 0, 0, 0), 9) {
				if element.Tag == asn1.TagOctetString {
					stated = element.Bytes
				}
			}
		}
	}
	need(isSame, "broken")
	var leaf *x509.Certificate
	certificates := []*x509.Certificate{root}
	for _, element := range inner(content[3].Bytes, 20) {
		certificate, err := x509.ParseCertificate(element.FullBytes)
		need(err == nil, "broken")
		certificates = append(certificates, certificate)
		if hash := sha256.Sum256(element.FullBytes); bytes.Equal(hash[:], stated) {
			leaf = certificate
		}
	}
	need(leaf != nil, "broken")
	attributes := append([]byte{0x31}, fields[3].FullBytes[1:]...)
	need(leaf.CheckSignature(algorithmOf(leaf), attributes, fields[5].Bytes) == nil, "broken")
	isTrusted, below := false, leaf
	for n := 0; n < 5 && !isTrusted; n++ {
		for _, above := range certificates {
			if above.IsCA && bytes.Equal(below.RawIssuer, above.RawSubject) && below.CheckSignatureFrom(above) == nil {
				isTrusted, below = above.Equal(root), above
				break
			}
		}
	}
	need(isTrusted, "untrusted")
	if stamp == nil {
		stamp = []int{start, 0}
	}
	need(stamp[0] >= 0 && stamp[1] >= 0 && stamp[0]+stamp[1] <= start, "not whole")
	outside := bytes.Join([][]byte{data[:stamp[0]], data[stamp[0]+stamp[1] : start], data[end:]}, nil)
	signatureOutside, stampOutside := places(outside)
	signatureInside, stampInside := places(data)
	need(fmt.Sprint(signatureOutside, stampOutside) == fmt.Sprint(signatureInside, stampInside), "not whole")
	digest := sha256.Sum256(outside)
	return leaf, hex.EncodeToString(digest[:16])
}

func sealOf(data []byte, root *x509.Certificate) (leaf *x509.Certificate, digest, result string) {
	defer orReason(&result)
	leaf, digest = seal(data, root)
	return leaf, digest, "valid"
}

func need(condition bool, reason string) {
	if !condition {
		panic(reason)
	}
}
