declare module "cose-js" {
  type Verifier = { key: { x: Buffer; y: Buffer }; externalAAD: Buffer };
  const cose: { sign: { verify: (message: Buffer, verifier: Verifier) => Promise<Buffer> } };
  export default cose;
}
