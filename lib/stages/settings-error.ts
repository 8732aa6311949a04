/** Settings that a person must correct. The message says how. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}
