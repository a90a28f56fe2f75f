/** An invalid environment variable; `message` is one sentence that names the variable and the expected value. */
export class ConfigError extends Error {}
