import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from '@jest/globals';
import { settingsSchema } from '../../../../lib/settings.ts';

const stages = new URL('../../../../stages/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, stages), 'utf8');

/** What editors check a stage file with: the settings, and the line that names the schema. */
function stageSchema() {
  const { properties, ...schema } = settingsSchema();
  return { ...schema, properties: { $schema: { type: 'string' }, ...properties } };
}

test('the schema for editors is that of the settings (UPDATE_SCHEMA=1 rewrites it)', () => {
  const text = `${JSON.stringify(stageSchema(), undefined, 2)}\n`;
  if (env['UPDATE_SCHEMA'] === '1') writeFileSync(new URL('stage.schema.json', stages), text);
  expect(read('stage.schema.json')).toBe(text);
});

test.each(['example-minimal.json', 'example-zones.json', 'example-everything.json'])(
  '%s agrees with it',
  (name) => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(stageSchema());
    expect(validate(JSON.parse(read(name)))).toBe(true);
    expect(validate({ ...JSON.parse(read(name)), appDomian: 'x' })).toBe(false);
  },
);
