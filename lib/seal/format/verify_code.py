#!/usr/bin/env python3
"""Verifies signed codes and status lists by docs/seal-format.md, whose rules it names. Needs Debian's python3-cryptography.
    verify_code.py ADDRESS jwks.json [list.jwt]    what a signed code says, and if it was in force when the list was made
    verify_code.py vectors FILE...                 the result for each test vector"""
import base64, hashlib, json, re, sys, time, unicodedata, zlib
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

class Refused(Exception): pass
def need(condition, reason):
    if not condition: raise Refused(reason)
def sha256(data): return hashlib.sha256(data).digest()
def part(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text): raise ValueError
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

def es256(jwk, signature, message):
    """SF-3"""
    try: key = ec.EllipticCurvePublicNumbers(*(int.from_bytes(part(jwk[c]), "big") for c in "xy"), ec.SECP256R1()).public_key()
    except ValueError: return False
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    try: return key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256())) is None and len(signature) == 64
    except InvalidSignature: return False

def thumbprint(jwk): return sha256(json.dumps({c: jwk[c] for c in ("crv", "kty", "x", "y")}, separators=(",", ":")).encode())

def head(kind, n):
    size = next((size for size in (0, 1, 2) if n < 256 ** (1 << size)), None)
    need(size is not None, "unreadable")
    return bytes([kind << 5 | n]) if n < 24 else bytes([kind << 5 | 24 + size]) + n.to_bytes(1 << size, "big")

def item(data):
    """SF-5: an integer, bytes, text, null or array in its shortest form, and what is behind it."""
    if data[:1] == b"\xf6": return None, data[1:]
    kind, n = data[0] >> 5, data[0] & 31
    if n > 23: n = int.from_bytes(data[1:1 + (1 << n - 24)], "big")
    need(kind < 5 and n <= 2 ** 32 and data.startswith(head(kind, n)), "unreadable")
    rest = data[len(head(kind, n)):]
    if kind < 2: return (n if kind == 0 else -1 - n), rest
    need(n <= len(rest), "unreadable")
    if kind < 4: return (rest[:n] if kind == 2 else rest[:n].decode()), rest[n:]
    values = []
    for _ in range(n):
        need(rest[0] >> 5 != 4, "unreadable")
        value, rest = item(rest)
        values.append(value)
    return values, rest

def is_statement(v):
    """SF-6"""
    count, day = lambda n: isinstance(n, int) and n >= 1, lambda n: isinstance(n, int) and abs(n) <= 2932896
    short = lambda x, size: isinstance(x, bytes) and len(x) == size
    number = lambda x: isinstance(x, str) and 0 < len(x.encode()) <= 24 and x == unicodedata.normalize("NFC", x) or short(x, 8)
    return len(v) == 10 and number(v[1]) and count(v[2]) and day(v[3]) and (v[4] is None or day(v[4])) \
        and (v[5] is None or short(v[5], 16)) and all(map(count, v[6:])) and v[7] <= v[8]

def code(text, keys):
    """SF-1 to SF-9: what a signed code states, the document's code, and the key."""
    match = re.fullmatch(r"(https?://[^\s?#]+/v/([0-9A-HJKMNP-TV-Z]{17}))/([0-9]{1,400})", text)
    need(match, "unreadable")
    address, number, digits = match.groups()
    sizes, message = {3: 1, 5: 2, 8: 3, 10: 4, 13: 5, 15: 6, 17: 7}, b""
    for group in re.findall(r"\d{17}|\d+", digits):
        need(len(group) in sizes and int(group) < 256 ** sizes[len(group)], "unreadable")
        message += int(group).to_bytes(sizes[len(group)], "big")
    if message[:1] != b"\xd2":  # SF-14
        need(len(message) > 68, "unreadable")
        payload, middle = message[:-68], b"\xa0" + head(2, len(message) - 68)
        message = bytes.fromhex("d28449a201260444") + message[-68:-64] + middle + payload + b"\x58\x40" + message[-64:]
    need(message[:8].hex() == "d28449a201260444" and message[12:13] == b"\xa0" and message[-66:-64] == b"\x58\x40", "unreadable")
    try:
        payload, behind = item(message[13:-66])
        values, more = item(payload)
        need(not behind and not more and type(values[0]) is int and (values[0] > 1 or values[0] == 1 and is_statement(values)), "unreadable")
    except (IndexError, TypeError, ValueError): raise Refused("unreadable")
    matches = [key for key in keys if thumbprint(key)[:4] == message[8:12]]
    need(matches, "unknown key")
    signed = b"\x84\x6aSignature1" + message[2:12] + head(2, len(address.encode())) + address.encode() + message[13:-66]
    key = next((key for key in matches if es256(key, message[-64:], signed)), None)
    need(key, "altered")
    need("revoked_at" not in key, "revoked key")
    return ("newer" if values[0] > 1 else values), number, key

def status(token, keys, key, number, date, now):
    """SF-20 to SF-27: what a list says of a code whose signature was verified, now or (None) when it was made."""
    try:
        first, body, signature = token.strip().split(".")
        header, claims = json.loads(part(first)), json.loads(part(body))
        by = next(k for k in keys if k["kid"] == header["kid"] and k["status_list"] == claims["sub"] == key["status_list"])
        need(header["alg"] == "ES256" and header["typ"] == "statuslist+jwt" and "revoked_at" not in by, "no list")
        need(es256(by, part(signature), f"{first}.{body}".encode()) and claims["status_list"]["bits"] == 2, "no list")
        unpack, salt = zlib.decompressobj(), part(claims["code_salt"])
        entries = unpack.decompress(part(claims["status_list"]["lst"]), 2 ** 24 + 1)
        count = len(entries) * 4
        need(unpack.eof and 2 ** 15 <= count <= 2 ** 26 and count & -count == count, "no list")
        if not claims["iat"] - 300 <= (now or claims["iat"]) <= claims["exp"]: return "outdated"
    except (ValueError, KeyError, TypeError, StopIteration, zlib.error): raise Refused("no list")
    at = int.from_bytes(sha256(salt + number.encode())[:4], "big") % count
    answer = ["in force", "ended", "ask online", "ask online"][entries[at // 4] >> at % 4 * 2 & 3]
    return "ask online" if answer == "ended" and date >= claims["iat"] // 86400 - 1 else answer

def vector(case):
    try:
        values, number, key = code(case["code"], case["keys"])
        if "list" not in case: return "newer" if values == "newer" else "genuine"
        return status(case["list"], case["keys"], key, number, values[3], case["now"])
    except Refused as refused: return str(refused)

def main(address, *files):
    if address == "vectors":
        for file in (json.load(open(path)) for path in files):
            for case in file["cases"]: print(case["id"], vector({**file["shared"], **case}), sep="\t")
        return
    keys = json.load(open(files[0]))["keys"]
    values, number, key = code(address, keys)
    print("genuine:", [v.hex() if isinstance(v, bytes) else v for v in values], "by", key["kid"], key.get("iss_name", ""))
    if len(files) > 1:
        token = open(files[1]).read()
        answer = status(token, keys, key, number, values[3], None)
        print(answer, "at", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(json.loads(part(token.split(".")[1]))["iat"])))
        need(answer == "in force", answer)

try: main(*sys.argv[1:])
except Refused as refused: sys.exit(f"refused: {refused}")
