import type {
  Access,
  ProjectWarnings,
  RuleWarning,
  SettingWarning,
} from '../../../contract/fields.ts';

/** A password of fewer characters can be guessed although tries are limited; see decision 0035. */
const advisedCharacters = 8;

/** What an owner is told about a password that visitors are asked for from now on; a short one is allowed. */
export function passwordWarnings(password: string): SettingWarning[] {
  const characters = Array.from(password.normalize('NFC')).length;
  if (characters >= advisedCharacters) return [];
  return [
    {
      field: 'password',
      message: `The password has fewer than ${advisedCharacters} characters. Strangers have at most 50 wrong tries a day, but four digits can be found within months: use ${advisedCharacters} or more characters.`,
    },
  ];
}

/** The same of a new project, beside the lines of its rules that were left out; nothing where there is nothing. */
export function projectWarnings(
  { access, password = '' }: { access: Access; password?: string | undefined },
  ofRules: readonly RuleWarning[] = [],
): { warnings?: NonNullable<ProjectWarnings> } {
  const warnings = [...ofRules, ...(access === 'password' ? passwordWarnings(password) : [])];
  return warnings.length === 0 ? {} : { warnings };
}
