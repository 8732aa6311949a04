import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';
import { evaluate, evaluateCondition, NO_VALUE, type Scope } from './intrinsics.ts';
import { isRecord } from './json.ts';
import type { Assembly, Stack, Template } from './read-assembly.ts';
import { ACCOUNT, arn, REGION, type ResourceType } from './resource-type.ts';
import { resourceTypes } from './resource-types.ts';

/** What a custom resource answered: its `Ref` and its `Fn::GetAtt` attributes. */
export interface CustomResult {
  physicalId: string;
  data: Record<string, unknown>;
}

/** A resource as the template has it, with the stack that it stands in. */
interface Entry {
  stack: Stack;
  logicalId: string;
  source: Template['Resources'][string];
}

/** Thrown while a value depends on a custom resource that has not answered yet. */
class NotYet extends Error {}

/** True for a type whose attributes only its function can tell. */
function isCustom(type: string): boolean {
  return type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
}

const PSEUDO: Record<string, (stack: Stack) => unknown> = {
  'AWS::Region': () => REGION,
  'AWS::AccountId': () => ACCOUNT,
  'AWS::Partition': () => 'aws',
  'AWS::URLSuffix': () => 'amazonaws.com',
  'AWS::StackName': (stack) => stack.name,
  'AWS::StackId': (stack) => arn('cloudformation', `stack/${stack.name}/local`),
  'AWS::NoValue': () => NO_VALUE,
};

/** What the CDK puts into every template to check the bootstrap stack; there is none on a laptop. */
const IGNORED_PARAMETERS = new Set(['BootstrapVersion']);
const IGNORED_RULES = new Set(['CheckBootstrapVersion']);

/**
 * The resources of an assembly with their values. Names and ARNs follow from the template alone;
 * what a custom resource answers is only known when it has run, so those run between two passes.
 */
export class Deployment {
  readonly #assembly: Assembly;
  readonly #entries: Entry[];
  readonly #results = new Map<string, CustomResult>();
  readonly #exports = new Map<string, { stack: Stack; value: unknown }>();

  constructor(assembly: Assembly) {
    this.#assembly = assembly;
    this.#entries = assembly.stacks.flatMap((stack) => this.#entriesOf(stack));
    for (const stack of assembly.stacks) this.#readOutputs(stack);
  }

  /** The resources that can be resolved now, without the custom ones. */
  resources(): Resource[] {
    return this.#entries
      .filter(({ source }) => !isCustom(source.Type))
      .flatMap((entry) => this.#resolved(entry) ?? []);
  }

  /** Runs every custom resource as soon as what it needs is known, then gives all resources. */
  async complete(run: (resource: Resource) => Promise<CustomResult>): Promise<Resource[]> {
    let waiting = this.#entries.filter(({ source }) => isCustom(source.Type));
    while (waiting.length > 0) {
      const next = waiting.find((entry) => this.#isReady(entry));
      const resource = next && this.#resolved(next);
      if (next === undefined || resource === undefined) {
        throw new StartError(`${waiting.map(title).join(', ')} wait for each other.`);
      }
      this.#results.set(key(next), await run(resource));
      waiting = waiting.filter((entry) => entry !== next);
    }
    return this.resources();
  }

  #isReady(entry: Entry): boolean {
    const { DependsOn = [] } = entry.source;
    const pending = (id: string) => {
      const other = this.#find(entry.stack, id);
      return isCustom(other.source.Type) && !this.#results.has(key(other));
    };
    return ![DependsOn].flat().some(pending) && this.#resolved(entry) !== undefined;
  }

  #entriesOf(stack: Stack): Entry[] {
    const { Parameters, Rules, Resources } = stack.template;
    const parameter = Object.keys(Parameters).find((name) => !IGNORED_PARAMETERS.has(name));
    const rule = Object.keys(Rules).find((name) => !IGNORED_RULES.has(name));
    if (parameter !== undefined || rule !== undefined) {
      throw new StartError(`Stack ${stack.name}: ${parameter ?? rule} is not supported locally.`);
    }
    const entries = Object.entries(Resources).map(([logicalId, source]) => ({
      stack,
      logicalId,
      source,
    }));
    return entries.filter(({ source }) => {
      return source.Condition === undefined || this.#scope(stack).condition(source.Condition);
    });
  }

  #readOutputs(stack: Stack): void {
    for (const { Value, Export } of Object.values(stack.template.Outputs)) {
      if (Export === undefined) continue;
      this.#exports.set(String(evaluate(Export.Name, this.#scope(stack))), { stack, value: Value });
    }
  }

  #resolved(entry: Entry): Resource | undefined {
    const { stack, logicalId, source } = entry;
    checkProperties(entry);
    try {
      const properties = evaluate(source.Properties, this.#scope(stack));
      if (!isRecord(properties)) return undefined;
      return { logicalId, stack: stack.name, type: source.Type, properties };
    } catch (error) {
      if (error instanceof NotYet) return undefined;
      throw new StartError(
        `${title(entry)}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #find(stack: Stack, logicalId: string): Entry {
    const found = this.#entries.find(
      (entry) => entry.stack === stack && entry.logicalId === logicalId,
    );
    if (found === undefined)
      throw new Error(`there is no resource ${logicalId} in stack ${stack.name}`);
    return found;
  }

  #custom(entry: Entry): CustomResult {
    const result = this.#results.get(key(entry));
    if (result === undefined) throw new NotYet(title(entry));
    return result;
  }

  #ref(stack: Stack, name: string): unknown {
    const pseudo = PSEUDO[name];
    if (pseudo !== undefined) return pseudo(stack);
    const entry = this.#find(stack, name);
    if (isCustom(entry.source.Type)) return this.#custom(entry).physicalId;
    return typeOf(entry).ref?.(this.#named(entry)) ?? entry.logicalId;
  }

  #getAtt(stack: Stack, logicalId: string, attribute: string): unknown {
    const entry = this.#find(stack, logicalId);
    const attributes: Record<string, unknown> = isCustom(entry.source.Type)
      ? this.#custom(entry).data
      : (typeOf(entry).attributes?.(this.#named(entry), String(this.#ref(stack, logicalId))) ?? {});
    if (!Object.hasOwn(attributes, attribute)) {
      throw new Error(`${entry.source.Type} ${logicalId} has no attribute ${attribute} locally`);
    }
    return attributes[attribute];
  }

  #named({ stack, logicalId, source }: Entry) {
    const scope = this.#scope(stack);
    const property = (name: string) => evaluate(source.Properties[name], scope);
    return { stack: stack.name, logicalId, property };
  }

  #scope(stack: Stack): Scope {
    return {
      ref: (name) => this.#ref(stack, name),
      getAtt: (logicalId, attribute) => this.#getAtt(stack, logicalId, attribute),
      importValue: (name) => {
        const found = this.#exports.get(name);
        if (found === undefined) throw new Error(`no stack exports ${name}`);
        return evaluate(found.value, this.#scope(found.stack));
      },
      condition: (name) => {
        const condition = stack.template.Conditions[name];
        if (condition === undefined) throw new Error(`there is no condition ${name}`);
        return evaluateCondition(condition, this.#scope(stack));
      },
      findInMap: (map, first, second) => findInMap(stack, [map, first, second]),
    };
  }

  /** Where the code of a function asset lies. */
  assetPath(objectKey: string): string {
    const path = this.#assembly.assets.get(objectKey);
    if (path === undefined) throw new StartError(`The assembly has no asset ${objectKey}.`);
    return path;
  }
}

function key({ stack, logicalId }: Entry): string {
  return `${stack.name}/${logicalId}`;
}

function title(entry: Entry): string {
  return `${entry.source.Type} ${entry.logicalId} (stack ${entry.stack.name})`;
}

function findInMap(stack: Stack, path: string[]): unknown {
  let value: unknown = stack.template.Mappings;
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  if (value === undefined) throw new Error(`there is no mapping ${path.join('.')}`);
  return value;
}

function typeOf(entry: Entry): ResourceType {
  const type = resourceTypes[entry.source.Type];
  if (type !== undefined) return type;
  throw new StartError(`${title(entry)}: the local cloud does not know this resource type.`);
}

function checkProperties(entry: Entry): void {
  if (isCustom(entry.source.Type)) return;
  const { properties } = typeOf(entry);
  if (properties === 'by the part') return;
  const unknown = Object.keys(entry.source.Properties).find((name) => !properties.includes(name));
  if (unknown === undefined) return;
  throw new StartError(`${title(entry)}: the local cloud does not know the property ${unknown}.`);
}
