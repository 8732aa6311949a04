import type { DeployedStack } from '../cloudformation/cloudformation-api.ts';
import type { Resource } from './resource.ts';
import { isRecord, StartError } from '../errors.ts';
import { evaluate, type Scope } from './intrinsics.ts';
import type { Assembly, Stack, Template } from './read-assembly.ts';
import { ACCOUNT, REGION, type ResourceType } from './resource-type.ts';
import { resourceTypes } from './resource-types.ts';

/** The answer of a custom resource: its `Ref` and its `Fn::GetAtt` attributes. */
export interface CustomResult {
  physicalId: string;
  data: Record<string, unknown>;
}

interface TemplateResource {
  stack: Stack;
  logicalId: string;
  source: Template['Resources'][string];
}

/** Thrown while a value depends on a custom resource that has not answered yet. */
class PendingCustomResourceError extends Error {}

/** Whether only the resource's own function knows its attributes. */
function isCustom(type: string): boolean {
  return type.startsWith('Custom::');
}

const PSEUDO: Record<string, (stack: Stack) => unknown> = {
  'AWS::Region': () => REGION,
  'AWS::AccountId': () => ACCOUNT,
  'AWS::Partition': () => 'aws',
  'AWS::URLSuffix': () => 'amazonaws.com',
  'AWS::StackName': (stack) => stack.name,
};

/** The CDK adds these to every template to check the bootstrap stack, which a laptop does not have. */
const IGNORED_PARAMETERS = new Set(['BootstrapVersion']);
const IGNORED_RULES = new Set(['CheckBootstrapVersion']);

/**
 * The resources of an assembly with their values. Names and ARNs follow from the template alone.
 * The values of a custom resource are known only after it has run, so those run between two passes.
 */
export class Deployment {
  readonly #assembly: Assembly;
  readonly #entries: TemplateResource[];
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

  /** Runs every custom resource as soon as its inputs are known, then returns all resources. */
  async complete(run: (resource: Resource) => Promise<CustomResult>): Promise<Resource[]> {
    let waiting = this.#entries.filter(({ source }) => isCustom(source.Type));
    while (waiting.length > 0) {
      const next = waiting.find((entry) => this.#isReady(entry));
      const resource = next && this.#resolved(next);
      if (next === undefined || resource === undefined) {
        throw new StartError(`${waiting.map(describeEntry).join(', ')} depend on each other.`);
      }
      this.#results.set(entryKey(next), await run(resource));
      waiting = waiting.filter((entry) => entry !== next);
    }
    return this.resources();
  }

  /** The stacks with their outputs, which may need the values of custom resources. */
  stacks(): DeployedStack[] {
    return this.#assembly.stacks.map((stack) => ({
      name: stack.name,
      template: stack.template,
      outputs: Object.entries(stack.template.Outputs).map(([key, { Value }]) => ({
        key,
        value: String(evaluate(Value, this.#scope(stack))),
      })),
    }));
  }

  #isReady(entry: TemplateResource): boolean {
    const { DependsOn = [] } = entry.source;
    const pending = (id: string) => {
      const other = this.#find(entry.stack, id);
      return isCustom(other.source.Type) && !this.#results.has(entryKey(other));
    };
    return ![DependsOn].flat().some(pending) && this.#resolved(entry) !== undefined;
  }

  #entriesOf(stack: Stack): TemplateResource[] {
    const { Parameters, Rules, Resources } = stack.template;
    const parameter = Object.keys(Parameters).find((name) => !IGNORED_PARAMETERS.has(name));
    const rule = Object.keys(Rules).find((name) => !IGNORED_RULES.has(name));
    if (parameter !== undefined || rule !== undefined) {
      throw new StartError(`Stack ${stack.name}: ${parameter ?? rule} is not supported locally.`);
    }
    return Object.entries(Resources).map(([logicalId, source]) => ({ stack, logicalId, source }));
  }

  #readOutputs(stack: Stack): void {
    for (const { Value, Export } of Object.values(stack.template.Outputs)) {
      if (Export === undefined) continue;
      this.#exports.set(String(evaluate(Export.Name, this.#scope(stack))), { stack, value: Value });
    }
  }

  #resolved(entry: TemplateResource): Resource | undefined {
    const { stack, logicalId, source } = entry;
    checkProperties(entry);
    try {
      const properties = evaluate(source.Properties, this.#scope(stack));
      if (!isRecord(properties)) return undefined;
      return { logicalId, stack: stack.name, type: source.Type, properties };
    } catch (error) {
      if (error instanceof PendingCustomResourceError) return undefined;
      throw new StartError(
        `${describeEntry(entry)}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #find(stack: Stack, logicalId: string): TemplateResource {
    const found = this.#entries.find(
      (entry) => entry.stack === stack && entry.logicalId === logicalId,
    );
    if (found === undefined)
      throw new Error(`there is no resource ${logicalId} in stack ${stack.name}`);
    return found;
  }

  #custom(entry: TemplateResource): CustomResult {
    const result = this.#results.get(entryKey(entry));
    if (result === undefined) throw new PendingCustomResourceError(describeEntry(entry));
    return result;
  }

  #ref(stack: Stack, name: string): unknown {
    const pseudo = PSEUDO[name];
    if (pseudo !== undefined) return pseudo(stack);
    const entry = this.#find(stack, name);
    if (isCustom(entry.source.Type)) return this.#custom(entry).physicalId;
    return resourceTypeOf(entry).ref?.(this.#named(entry)) ?? entry.logicalId;
  }

  #getAtt(stack: Stack, logicalId: string, attribute: string): unknown {
    const entry = this.#find(stack, logicalId);
    const attributes: Record<string, unknown> = isCustom(entry.source.Type)
      ? this.#custom(entry).data
      : (resourceTypeOf(entry).attributes?.(
          this.#named(entry),
          String(this.#ref(stack, logicalId)),
        ) ?? {});
    if (!Object.hasOwn(attributes, attribute)) {
      throw new Error(`${entry.source.Type} ${logicalId} has no attribute ${attribute} locally`);
    }
    return attributes[attribute];
  }

  #named({ stack, logicalId, source }: TemplateResource) {
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
    };
  }

  /** The directory of a function's code. */
  assetPath(objectKey: string): string {
    const path = this.#assembly.assets.get(objectKey);
    if (path === undefined) throw new StartError(`The assembly has no asset ${objectKey}.`);
    return path;
  }
}

function entryKey({ stack, logicalId }: TemplateResource): string {
  return `${stack.name}/${logicalId}`;
}

function describeEntry(entry: TemplateResource): string {
  return `${entry.source.Type} ${entry.logicalId} (stack ${entry.stack.name})`;
}

function resourceTypeOf(entry: TemplateResource): ResourceType {
  const type = resourceTypes[entry.source.Type];
  if (type !== undefined) return type;
  throw new StartError(
    `${describeEntry(entry)}: the local cloud does not know this resource type.`,
  );
}

function checkProperties(entry: TemplateResource): void {
  if (isCustom(entry.source.Type)) return;
  const { properties } = resourceTypeOf(entry);
  if (properties === 'by the module') return;
  const unknown = Object.keys(entry.source.Properties).find((name) => !properties.includes(name));
  if (unknown === undefined) return;
  throw new StartError(
    `${describeEntry(entry)}: the local cloud does not know the property ${unknown}.`,
  );
}
