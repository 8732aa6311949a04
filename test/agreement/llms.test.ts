import { describe, expect, test } from '@jest/globals';
import { describeDuration, temporaryLifetimeSeconds } from '../../contract/limits.ts';
import { errorCatalogue, errorCodes } from '../../contract/errors.ts';
import { errorsOf } from '../../contract/operation-errors.ts';
import { operations } from '../../contract/operations.ts';
import { fieldsOf } from '../../contract/operation-parts.ts';
import { llmsText } from '../../contract/llms/llms-text.ts';
import { defaultPlans } from '../../contract/plans.ts';
import { tools } from '../../contract/tools.ts';
import { tempLimits } from '../../core/projects/publishing/upload-limits.ts';

const baseUrl = 'https://app.example.com';
const text = llmsText(
  {
    brand: 'Slipway',
    baseUrl,
    plans: defaultPlans,
    temporary: tempLimits({ perMinute: 3, perHour: 5 }),
  },
  operations,
);
const routes = operations.map(({ method, path }) => `${method} ${path}`);
const sectionOf = (route: string) => text.split(`\n### ${route}\n`)[1]?.split('\n##')[0] ?? '';

describe('llms-full.txt', () => {
  test('has one section for each operation, and no other', () => {
    const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(routes);
  });

  test('speaks of no operation that there is not', () => {
    const spoken = [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`/g)];
    expect(spoken.length).toBeGreaterThan(5);
    for (const [, route] of spoken) expect(routes).toContain(route);
  });

  test.each(operations.map((one) => [one.id, one] as const))(
    '%s: names its fields, errors and a command for it',
    (_, operation) => {
      const section = sectionOf(`${operation.method} ${operation.path}`);
      for (const { name, required } of fieldsOf(operation)) {
        expect(section).toMatch(
          new RegExp(
            `^- \`${name}\` \\((?:path, |query, )?${required ? 'required' : 'optional'}\\): \\S`,
            'm',
          ),
        );
      }
      for (const code of errorsOf(operation)) {
        expect(section).toContain(`${code} (${errorCatalogue[code].status})`);
      }
      expect(section).toMatch(/^curl .*https:\/\/app\.example\.com\//m);
      expect(section).not.toMatch(/undefined|\[object/);
    },
  );

  test('says what to do next for every code, and every number of every plan', () => {
    for (const code of errorCodes) {
      const { status, nextStep } = errorCatalogue[code];
      expect(text).toContain(`- ${code} (${status}): ${nextStep}`);
    }
    for (const limits of Object.values(defaultPlans)) {
      for (const [name, value] of Object.entries(limits)) {
        expect(text).toMatch(new RegExp(`^\\| ${name} \\|.* ${value} \\|`, 'm'));
      }
    }
    for (const fact of [
      `expires after ${describeDuration(temporaryLifetimeSeconds)}`,
      '2097152 bytes',
      '3 uploads in a minute',
      '5 uploads in an hour',
    ]) {
      expect(text).toContain(fact);
    }
  });

  test('tells agents where the tools are, and each of them', () => {
    const section = text.split('\n## MCP\n')[1]?.split('\n## ')[0] ?? '';
    expect(section).toContain(`${baseUrl}/mcp`);
    const named = [...section.matchAll(/^- `(\w+)` \(`([\w:]+)`(, paid plans)?\): \S/gm)];
    expect(named.map(([, name, scope, paid]) => [name, scope, paid !== undefined])).toEqual(
      tools.map(({ name, scope, operation }) => [name, scope, operation.paid]),
    );
  });
});
