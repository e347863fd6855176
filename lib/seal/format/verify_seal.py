#!/usr/bin/env python3
"""Verifies the seals of PDFs by docs/seal-format.md, whose rules it names. Needs Debian's python3-cryptography.
    verify_seal.py FILE root.pem [stamp]    who sealed all of a PDF, and the digest that its code states; its time stamp as a file
    verify_seal.py vectors FILE...          the result for each test vector"""
import base64, hashlib, json, re, sys
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding

class Refused(Exception): pass
def need(condition, reason):
    if not condition: raise Refused(reason)
def sha256(data): return hashlib.sha256(data).digest()

def signs(key, signature, message):
    pair = (ec.ECDSA(hashes.SHA256()),) if isinstance(key, ec.EllipticCurvePublicKey) else (padding.PKCS1v15(), hashes.SHA256())
    try: return key.verify(signature, message, *pair) is None
    except InvalidSignature: return False

def inner(content, only=None):
    """The elements of DER within one: the tag, the content and all of each."""
    elements = []
    while content and len(elements) != only:
        at = 2 if content[1] < 128 else content[1] - 126
        end = at + (content[1] if at == 2 else int.from_bytes(content[2:at], "big"))
        if end > len(content): raise ValueError
        elements.append((content[0], content[at:end], content[:end]))
        content = content[end:]
    return elements

def places(data):
    """Where signature and stamp are: the last ones that the file names."""
    patterns = rb"/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]", rb"/Sealdesk <<\s*/V 1\s*/Skip \[ *(\d+) +(\d+) *\]"
    return [tuple(map(int, (re.findall(pattern, data) or [()])[-1])) for pattern in patterns]

def is_issued(below, above):
    is_authority = any(e.value.ca for e in above.extensions if isinstance(e.value, x509.BasicConstraints))
    return is_authority and below.issuer == above.subject and signs(above.public_key(), below.signature, below.tbs_certificate_bytes)

def pdf(data, roots):
    """SF-40 to SF-46: the certificate of who sealed all of a PDF, its digest, its signature and time stamp (SF-47)."""
    signature, stamp = places(data)
    need(signature, "not signed")
    start, end, rest = signature
    need(end + rest == len(data) and data[start:start + 1] == b"<" and data[end - 1:end] == b">", "not whole")
    try:
        content = inner(inner(inner(inner(bytes.fromhex(data[start + 1:end - 1].decode()), 1)[0][1])[1][1])[0][1])
        certificates = [x509.load_der_x509_certificate(c[2]) for c in inner(next(e[1] for e in content if e[0] == 0xa0))]
        signer = inner(inner(content[-1][1])[0][1])
        attributes = {inner(a[1])[0][2].hex(): inner(inner(a[1])[1][1])[0][1] for a in inner(signer[3][1])}
        need(attributes["06092a864886f70d010904"] == sha256(data[:start] + data[end:]), "broken")
        stated = next(e[1] for e in inner(inner(inner(attributes["060b2a864886f70d010910022f"])[0][1])[0][1]) if e[0] == 4)
        leaf = next(c for c in certificates if c.fingerprint(hashes.SHA256()) == stated)
        need(signs(leaf.public_key(), signer[5][1], b"\x31" + signer[3][2][1:]), "broken")
    except (ValueError, KeyError, IndexError, StopIteration): raise Refused("broken")
    below, above = leaf, None
    for _ in range(5):
        above = next((c for c in [*roots, *certificates] if is_issued(below, c)), None)
        if above is None or above in roots: break
        below = above
    need(above in roots, "untrusted")
    at, length = stamp or (start, 0)
    covered = data[:at] + data[at + length:start] + data[end:]
    need(places(covered) == places(data) and at + length <= start, "not whole")
    stamps = [inner(a[1])[1][1] for a in inner(signer[6][1]) if inner(a[1])[0][2].hex() == "060b2a864886f70d010910020e"] if signer[6:] else []
    return leaf, sha256(covered)[:16].hex(), signer[5][1], (stamps or [None])[0]

def vector(case):
    try:
        data = bytearray(base64.b64decode(case["pdf"]))
        for edit in case.get("edits", []): data[edit["at"]:edit["at"] + len(edit["text"])] = edit["text"].encode()
        stated = pdf(bytes(data), [x509.load_der_x509_certificate(base64.b64decode(case["root"]))])[1]
        return "valid" if stated == case["digest"] else "another file"
    except Refused as refused: return str(refused)

def main(path, *files):
    if path == "vectors":
        for file in (json.load(open(path)) for path in files):
            for case in file["cases"]: print(case["id"], vector({**file["shared"], **case}), sep="\t")
        return
    end = b"-----END CERTIFICATE-----\n"
    roots = [x509.load_pem_x509_certificate(pem + end) for pem in open(files[0], "rb").read().split(end) if pem.strip()]
    leaf, digest, signature, stamp = pdf(open(path, "rb").read(), roots)
    if "stamp" in files:
        need(stamp, "no time stamp")
        for name, content in (("token", stamp), ("signature", signature)): open(f"{path}.{name}", "wb").write(content)
    print(f"valid: sealed by {leaf.subject.rfc4514_string()}, digest {digest}")

try: main(*sys.argv[1:])
except Refused as refused: sys.exit(f"refused: {refused}")
