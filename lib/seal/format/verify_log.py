#!/usr/bin/env python3
"""Verifies log proofs by docs/seal-format.md, whose rules it names. Needs Debian's python3-cryptography.
    verify_log.py FILE.tlog-proof LOG_KEY CODE [WITNESS_KEY...]    when a document was entered, and who has seen that
    verify_log.py vectors FILE...                                  the result for each test vector"""
import base64, hashlib, json, re, sys, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

class Refused(Exception): pass
def need(condition, reason):
    if not condition: raise Refused(reason)
def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()
def base64_of(text):
    try: data = base64.b64decode(text, validate=True)
    except ValueError: raise Refused("no proof")
    need(base64.b64encode(data).decode() == text, "no proof")
    return data

def key_of(text):
    """SF-84: NAME+ID+KEY, the first byte of which is 1 for a log and 4 for a witness."""
    name, key_id, encoded = text.strip().split("+", 2)
    typed = base64_of(encoded)
    need(len(typed) == 33 and key_id == sha256(name.encode(), b"\n", typed)[:4].hex(), "no key")
    return name, typed

def signature_of(text, lines, key):
    """SF-84, SF-86: whether a key signed a checkpoint: True of a log, the time of a witness; None if it has not."""
    name, typed = key
    for line in lines:
        match = re.fullmatch(r"— (\S+) (\S+)", line)
        need(match, "no proof")
        signed = base64_of(match[2])
        if match[1] != name or signed[:4] != sha256(name.encode(), b"\n", typed)[:4]: continue
        at = None if typed[0] == 1 else int.from_bytes(signed[4:12], "big")
        message = text if at is None else f"cosignature/v1\ntime {at}\n{text}"
        try: Ed25519PublicKey.from_public_bytes(typed[1:]).verify(signed[4:] if at is None else signed[12:], message.encode())
        except InvalidSignature: raise Refused("not signed")
        return at or True
    return None

def root_of(index, size, leaf, hashes):
    """SF-83: the root of a tree (RFC 9162, 2.1.3.2)."""
    at, last, root = index, size - 1, leaf
    for sibling in hashes:
        need(last > 0, "not in the log")
        if at & 1 or at == last:
            root = sha256(b"\1", sibling, root)
            while not at & 1 and at: at, last = at >> 1, last >> 1
        else: root = sha256(b"\1", root, sibling)
        at, last = at >> 1, last >> 1
    need(last == 0, "not in the log")
    return root

def proof(content, log_key, code, witnesses=()):
    """SF-80 to SF-87: number, time and record of a document's entry, and who has cosigned it."""
    first, _, note = content.partition("\n\n")
    match = re.fullmatch(r"c2sp\.org/tlog-proof@v1\nextra (\S+)\nindex (0|[1-9]\d{0,15})((?:\n\S{44}){0,63})", first)
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    lines = text.split("\n")
    need(match and signatures.endswith("\n") and len(lines) > 3 and re.fullmatch(r"0|[1-9]\d{0,15}", lines[1]), "no proof")
    signatures, hashes = signatures[:-1].split("\n"), [base64_of(line) for line in match[3].split()]
    need(lines[0] == log_key[0] and signature_of(text, signatures, log_key), "not signed")
    preimage, index, size = base64_of(match[1]), int(match[2]), int(lines[1])
    need(all(len(one) == 32 for one in hashes) and index < size, "not in the log")
    leaf = sha256(b"\0", sha256(preimage))
    need(root_of(index, size, leaf, hashes) == base64_of(lines[2]), "not in the log")
    entered, _, record = preimage[16:].decode().partition("\n")
    record = json.loads(record)
    digest = base64.urlsafe_b64encode(sha256(code.encode())).decode().rstrip("=")
    need(digest in [record.get("document"), *record.get("copies", [])], "another document")
    return index, entered, record, [(key[0], at) for key in witnesses if (at := signature_of(text, signatures, key))]

def vector(case):
    try:
        witnesses = proof(case["proof"], key_of(case["key"]), case["code"], [key_of(key) for key in case.get("witnesses", [])])[3]
        return f"entered, seen by {len(witnesses)}" if case.get("witnesses") else "entered"
    except Refused as refused: return str(refused)

def main(path, *args):
    if path == "vectors":
        for file in (json.load(open(name)) for name in args):
            for case in file["cases"]: print(case["id"], vector({**file["shared"], **case}), sep="\t")
        return
    code = re.search(r"/v/(\w{17})", args[1])[1] if "/v/" in args[1] else args[1]
    index, entered, record, seen = proof(open(path).read(), key_of(args[0]), code, [key_of(key) for key in args[2:]])
    print(f"entered as no. {index} at {entered}:", json.dumps(record, ensure_ascii=False))
    for name, at in seen: print(f"seen by {name} at {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime(at))}")

try: main(*sys.argv[1:])
except Refused as refused: sys.exit(f"refused: {refused}")
