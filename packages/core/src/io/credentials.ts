/**
 * Files that hold credentials: nothing of ours reads or writes them, and no converter can override that. Known
 * by name alone, since looking inside is what must not happen.
 */
const NAMES = new Set([
  ...[
    "auth.json",
    "mcp-auth.json",
    ".credentials.json",
    "credentials.json",
    "oauth_creds.json",
    "credentials",
  ],
  ...["mcp-oauth-tokens.json", "mcp-oauth-tokens-v2.json", "oauth.json", "secrets.yaml", "secrets.json"],
  ...[".netrc", "_netrc", ".git-credentials", ".pgpass", ".npmrc", ".pypirc", ".htpasswd"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "cookies.sqlite", "login data"],
]);

const ENDINGS = /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|keychain(-db)?)$/;
/** `.env`, `.env.local`; not the examples that people check in. */
const ENV = /^\.env(\.(?!example$|sample$|template$|dist$|defaults?$).+)?$/;

/** Cline's: the keys of all providers, beside what they are asked for. */
const PROVIDERS = /[/\\]settings[/\\]providers\.json$/;

export function holdsCredentials(path: string): boolean {
  if (PROVIDERS.test(path.toLowerCase())) return true;
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return NAMES.has(name) || ENDINGS.test(name) || ENV.test(name);
}
