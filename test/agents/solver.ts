import { callTool } from '../fixtures/agents/mcp.ts';
import type { ListedTool, Task } from './tasks.ts';

/** More calls than any task needs. */
const maxCalls = 8;

/** What the solver knows besides a call's own arguments: from the words of the task, or from results. */
type Facts = Record<string, any>;

/** What became of a task: the calls in their order, and the last one's arguments and result. */
export interface Solution {
  calls: string[];
  args: Record<string, any>;
  result: any;
}

/**
 * Solves a task as a careful agent would, without a model: it knows the tools by `tools/list` alone, and
 * corrects a refused call by the texts of its error. No rule here names an error code or a task.
 */
export async function solve(key: string, listed: ListedTool[], task: Task): Promise<Solution> {
  return new Solver(key, listed, task).run();
}

class Solver {
  readonly #calls: string[] = [];
  readonly #key: string;
  readonly #tools: Map<string, ListedTool>;
  readonly #task: Task;
  readonly #facts: Facts;

  constructor(key: string, listed: ListedTool[], task: Task) {
    this.#key = key;
    this.#tools = new Map(listed.map((tool) => [tool.name, tool]));
    this.#task = task;
    this.#facts = { ...task.knows };
  }

  async run(): Promise<Solution> {
    let { tool } = this.#task;
    let args: Record<string, any> = { ...this.#task.args };
    for (;;) {
      await this.#findRequired(tool, args);
      const result = await this.#call(tool, args);
      if (result.isError !== true) return { calls: this.#calls, args, result };
      const next = await this.#correct(tool, args, result.content[0].text);
      ({ tool, args } = next);
    }
  }

  async #call(tool: string, args: Record<string, any>): Promise<any> {
    this.#calls.push(tool);
    if (this.#calls.length > maxCalls) throw new Error(`no way: ${this.#calls.join(', ')}`);
    const result = await callTool(this.#key, tool, args);
    this.#remember(result.structuredContent);
    return result;
  }

  /** What a result says of the project that the words name. */
  #remember(content: any): void {
    const { title } = this.#facts;
    const found = content?.projects?.find((one: { title: string }) => one.title === title);
    if (found !== undefined) this.#facts['projectId'] = found.id;
    if (content?.version !== undefined) this.#facts['version'] = content.version;
  }

  /** A required argument that the words do not have comes from the tool that its description names. */
  async #findRequired(tool: string, args: Record<string, any>): Promise<void> {
    const { required = [], properties } = this.#schema(tool);
    for (const name of required) {
      if (args[name] !== undefined) continue;
      if (this.#facts[name] === undefined) {
        const source = this.#toolIn(properties[name]?.description ?? '', tool);
        if (source === undefined) throw new Error(`${tool}: nothing says where ${name} is from`);
        await this.#call(source, {});
      }
      args[name] = this.#facts[name];
    }
  }

  /** The next call after an error, by its text: the problem, "Next:", and the error's data. */
  async #correct(tool: string, args: Record<string, any>, text: string) {
    const [problem = '', step = '', json = '{}'] = text.split('\n');
    const data = JSON.parse(json);
    const changed = this.#changed(tool, args, step, data);
    if (changed !== undefined) return { tool, args: changed };
    const setting = /call (\w+) with `(\w+): (\w+)`/.exec(step);
    const [, other = '', name = '', value] = setting ?? [];
    if (this.#tools.has(other)) {
      await this.#call(other, { projectId: args['projectId'], [name]: value });
      return { tool, args };
    }
    const helper = this.#toolIn(step, tool) ?? this.#toolIn(problem, tool);
    if (helper === undefined) throw new Error(`${tool} leads nowhere: ${text}`);
    // A tool that does the task in another way.
    if (/use \w+_\w+/.test(`${problem} ${step}`)) return { tool: helper, args: {} };
    return { tool, args: await this.#informed(args, helper, step) };
  }

  /** The arguments with what another tool knows: the project's id, or what the error says to take from it. */
  async #informed(args: Record<string, any>, helper: string, step: string) {
    delete this.#facts['projectId'];
    const { required = [] } = this.#schema(helper);
    const known = { projectId: args['projectId'] };
    await this.#call(helper, required.includes('projectId') ? known : {});
    const renewed: Record<string, any> = {
      ...args,
      projectId: this.#facts['projectId'] ?? args['projectId'],
    };
    const source = /its `(\w+)` as `(\w+)`/.exec(step);
    if (source !== null) renewed[source[2] ?? ''] = this.#facts[source[1] ?? ''];
    return renewed;
  }

  /** The arguments as the error says that they should be; undefined if it names none. */
  #changed(tool: string, args: Record<string, any>, step: string, data: any) {
    const details: { path: string; message: string }[] = data.details ?? [];
    const elsewhere = details.some(({ message }) => this.#toolIn(message, tool) !== undefined);
    if (elsewhere) return undefined;
    if (/fields listed in `details`/.test(step)) {
      return details.reduce((all, detail) => this.#corrected(tool, all, detail), args);
    }
    const choice = /`(\w+)` set to one of `(\w+)`/.exec(step);
    if (choice !== null) return { ...args, [choice[1] ?? '']: data[choice[2] ?? ''][0] };
    const fresh = /(?:Choose another|Use a new) `(\w+)`/.exec(step);
    if (fresh !== null) {
      const [, name = ''] = fresh;
      return { ...args, [name]: `${args[name]}-2` };
    }
    const without = /without `(\w+)`/.exec(step);
    if (without !== null) return { ...args, [without[1] ?? '']: undefined };
    return undefined;
  }

  #corrected(tool: string, args: Record<string, any>, { path, message }: Facts) {
    const sent = /send `(\w+): (\w+)`/.exec(message);
    if (sent !== null) return { ...args, [sent[1] ?? '']: sent[2] };
    if (message.includes('is not a field')) return { ...args, [path]: undefined };
    // The person knows, or the schema has a choice.
    const value = this.#facts[path] ?? this.#schema(tool).properties[path]?.enum?.[0];
    if (value === undefined) throw new Error(`${tool}: nothing says what ${path} should be`);
    return { ...args, [path]: value };
  }

  #schema(tool: string): ListedTool['inputSchema'] {
    const found = this.#tools.get(tool);
    if (found === undefined) throw new Error(`${tool} is not in tools/list`);
    return found.inputSchema;
  }

  /** The first other tool that a text names. */
  #toolIn(text: string, tool: string): string | undefined {
    return (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).find(
      (name) => name !== tool && this.#tools.has(name),
    );
  }
}
