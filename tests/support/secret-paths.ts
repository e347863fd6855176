type Secrets = { linkToken: string; code: string; digits: string; email: string; metricsToken: string };

/** Addresses that bear secrets, however they are spelt. */
export const pathsWith = ({ linkToken, code, digits, email, metricsToken }: Secrets) => [
  `/signup?token=${linkToken}`,
  `/v/${code}`,
  `/V/${code}`,
  `/%76/${code}.data`,
  `//v/${code}`,
  `/v/${code}/pages/1`,
  `/v/${code}/${digits}`,
  `/V/${code}/${digits}?number=1`,
  `/%76/${code}/${digits}.data`,
  `/v/${code}/${digits.repeat(30)}`,
  `/v/${code}/${digits}/and/more`,
  `/api/verify/${code}/${digits}`,
  `/api/verify/${code}`,
  `/API/verify/${code}/pages/1`,
  `/login?next=${encodeURIComponent(`/v/${code}`)}`,
  `/users/list?email=${encodeURIComponent(email)}`,
  `/login/at/${linkToken}`,
  `/login/sso/return/${linkToken}?code=${linkToken}&state=${linkToken}`,
  `/sign-in-link?token=${linkToken}`,
  `/metrics?token=${metricsToken}`,
];
