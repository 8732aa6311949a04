import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { importMapping, StackResources } from '../lib/data/import-mapping.ts';

/**
 * Prints the mapping with which `cdk import` takes over what a destroyed data stack left: reads the
 * output of `aws cloudformation list-stack-resources` and the template that is its operand
 * (docs/runbook.md).
 */
const [, , templateFile = ''] = process.argv;
const template: unknown = JSON.parse(readFileSync(templateFile, 'utf8'));
const listed = StackResources.parse(JSON.parse(await text(process.stdin)));
process.stdout.write(`${JSON.stringify(importMapping(template, listed), null, 2)}\n`);
