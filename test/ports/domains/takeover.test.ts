import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CodedError } from '../../../core/errors.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { Crash } from '../../fixtures/domains/outside-world.ts';
import { proofSize } from '../../fixtures/proof-size.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const account: fc.Arbitrary<number> = fc.constantFrom(0, 1);
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), account, isChild: fc.boolean() }),
  fc.record({ kind: fc.constant('check' as const), account }),
  fc.record({ kind: fc.constant('remove' as const), account }),
  fc.record({ kind: fc.constant('assign' as const), account }),
  fc.record({ kind: fc.constant('prove' as const), account }),
  // Chance alone hardly ever leads an account to a served site, which then may lose its zone.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('serve' as const), account }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wipe' as const) }) },
  fc.record({ kind: fc.constant('route' as const) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 5) }),
  fc.record({ kind: fc.constant('crash' as const), calls: fc.integer({ min: 1, max: 12 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Race {
  readonly world: DomainWorld;
  readonly parent: string;
  readonly #projects: string[] = [];
  /** Whether an account served, and whether the zone then lost that account's proof. */
  hasServed = false;
  hasLost = false;

  constructor(world: DomainWorld, parent: string) {
    this.world = world;
    this.parent = parent;
  }

  get names(): string[] {
    return [this.parent, `shop.${this.parent}`];
  }

  async open(): Promise<this> {
    for (const owner of this.world.owners) {
      this.#projects.push(await owner.publish({ 'index.html': '<p>' }));
    }
    return this;
  }

  /** One step; a refusal and a crash are what may happen, anything else is a bug. */
  async take(one: Step): Promise<void> {
    try {
      await this.#run(one);
    } catch (error) {
      if (!(error instanceof CodedError) && !(error instanceof Crash)) throw error;
    }
  }

  async #run(one: Step): Promise<void> {
    const { world } = this;
    const [parent = '', child = ''] = this.names;
    if (one.kind === 'add') await world.add(one.account, one.isChild ? child : parent);
    else if (one.kind === 'serve') await this.#serve(one.account);
    else if (one.kind === 'wait') await world.minutes(one.minutes);
    else if (one.kind === 'crash') world.outside.callsUntilCrash = one.calls;
    else if (one.kind === 'wipe') world.outside.records.clear();
    else if (one.kind === 'prove' || one.kind === 'route') this.#publish(one);
    else for (const { id } of await world.list(one.account)) await this.#change(one, id);
  }

  /** An account takes the parent's name from nothing to a site that is served, if nothing stands in its way. */
  async #serve(account: number): Promise<void> {
    const { world, parent } = this;
    world.prove(account, parent);
    world.route(parent);
    const isAdded = (await world.list(account)).some(({ domain }) => domain === parent);
    if (!isAdded) await world.add(account, parent);
    await world.minutes(4);
    for (const { id } of await world.list(account))
      await this.#change({ kind: 'assign', account }, id);
  }

  /** The account that is served at the address of its project. */
  async #servedAt(account: number): Promise<string | undefined> {
    const project = await this.world.deps().projects.get(this.#projects[account] as never);
    const host = project?.host ?? '';
    const name = host.slice(host.indexOf('.') + 1);
    const isServed = (await this.world.servedBy(host)) === this.world.caller(account).account.id;
    return this.names.includes(name) && isServed ? name : undefined;
  }

  #hasProof(account: number, name: string): boolean {
    const proofs = this.world.outside.records.get(`TXT _slipway.${name}`) ?? [];
    return proofs.includes(this.world.proof(account, name));
  }

  /** Notes what has come about, so that the runs together can be required to have met it. */
  async note(): Promise<void> {
    if (this.hasLost) return;
    for (const account of this.world.owners.keys()) {
      const name = await this.#servedAt(account);
      if (name === undefined) continue;
      this.hasServed = true;
      if (!this.#hasProof(account, name)) this.hasLost = true;
    }
  }

  /** What the owner of the zone enters. */
  #publish(one: Step): void {
    for (const name of this.names) {
      if (one.kind === 'prove') this.world.prove(one.account, name);
      else this.world.route(name);
    }
  }

  async #change(one: Extract<Step, { account: number }>, id: string): Promise<void> {
    const { world } = this;
    if (one.kind === 'check') await world.check(one.account, id);
    if (one.kind === 'remove') await world.remove(one.account, id);
    if (one.kind === 'assign')
      await world.assign(one.account, this.#projects[one.account] ?? '', id);
  }

  /** Nobody was switched on just now whose proof the zone does not carry. */
  requireProofs(): void {
    for (const { id, name } of this.world.outside.switchedOn.splice(0)) {
      const proofs = this.world.outside.records.get(`TXT _slipway.${name}`) ?? [];
      const owner = this.world.ownerOf.get(id);
      expect(owner).toBeDefined();
      expect(proofs).toContain(this.world.proof(owner ?? -1, name));
    }
  }

  /** Who serves now, two hours after the last change of the zone, carries the proof. */
  async requireSettled(): Promise<void> {
    for (const account of this.world.owners.keys()) {
      const name = await this.#servedAt(account);
      if (name === undefined) continue;
      expect(this.world.outside.records.get(`TXT _slipway.${name}`)).toContain(
        this.world.proof(account, name),
      );
    }
    const tenants = [...this.world.outside.tenants.values()].filter(({ enabled }) => enabled);
    expect(new Set(tenants.map(({ name }) => name)).size).toBe(tenants.length);
  }
}

test('nobody ever serves on a name whose zone does not carry their proof', async () => {
  const numRuns = proofSize({ short: 12, whole: 40 });
  let [served, lost] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const world = await new DomainWorld(stores).open(2);
      const race = await new Race(world, `race-${(names += 1)}.com`).open();
      for (const one of steps) {
        await race.take(one);
        race.requireProofs();
        await race.note();
      }
      served += Number(race.hasServed);
      lost += Number(race.hasLost);
      world.outside.callsUntilCrash = Number.POSITIVE_INFINITY;
      await world.minutes(120, 15);
      await world.minutes(5);
      race.requireProofs();
      await race.requireSettled();
    }),
    { numRuns },
  );
  expect([served > numRuns / 4, lost > 0]).toEqual([true, true]);
});
