import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liftTakedown, takeDown } from '../../../core/projects/moderation/operator-change.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let world: DomainWorld;
/** The names as DNS has them: `bücher-takedown.com`. */
const name = 'xn--bcher-takedown-gsb.com';
const [owner, other] = [0, 1];
let root: string;
let page: string;
let shop: string;
let above: string;
let plain: string;

beforeAll(async () => {
  stores = await localStores();
  world = await new DomainWorld(stores).open(2);
  const publish = (account: number) =>
    world.owner(account).publish({ 'index.html': '<p>Pay here' });
  const id = await world.serve(owner, name);
  [root, page, above, plain] = [
    await publish(owner),
    await publish(owner),
    await publish(owner),
    await publish(other),
  ];
  await world.assign(owner, root, id, 'home');
  await world.assign(owner, page, id, 'page');
  await world.setRoot(owner, id, root);
  // A domain of its own beneath it: the edge prefers it to a project of that name.
  const beneath = await world.serve(owner, `shop.${name}`);
  shop = await publish(owner);
  await world.assign(owner, shop, beneath, 'home');
  await world.setRoot(owner, beneath, shop);
  await world.assign(owner, above, id, 'shop');
});
afterAll(() => stores.close());

const deps = () => world.operatorDeps();
const projects: Record<string, () => string> = {
  root: () => root,
  page: () => page,
  shop: () => shop,
  plain: () => plain,
};

test.each([
  ['root', name],
  ['root', `www.${name}`],
  ['root', 'bücher-takedown.com'],
  ['root', 'https://www.BÜCHER-takedown.com:8443/pay?now#form'],
  ['root', `home.${name}`],
  ['root', `https://user:word@${name}./`],
  ['page', `page.${name}`],
  ['page', `page--v1.${name}`],
  ['page', 'https://page--v12.bücher-takedown.com/index.html'],
  ['page', ` page。bücher-takedown.com `],
  ['shop', `shop.${name}`],
  ['shop', `www.shop.${name}`],
])('an operator finds the %s by %s', async (which, target) => {
  const found = await takeDown(deps(), { target, reason: 'Phishing.' });
  expect(found.id).toBe(projects[which]?.());
  // And finds it again, to lift it.
  expect((await liftTakedown(deps(), { target })).takedown).toBeNull();
});

test('a site of this service is found by its address and by that of a version', async () => {
  const { host } = await world.owner(other).project(plain);
  const version = host.replace('.', '--v1.');
  for (const target of [host, version, `http://${host.toUpperCase()}.`])
    expect((await takeDown(deps(), { target, reason: 'Phishing.' })).id).toBe(plain);
});

test.each(['bücher.com', `nobody.${name}`, `x@${name}`, '', 'https://', '..'])(
  'nothing is taken down for %p',
  async (target) => {
    await expect(takeDown(deps(), { target, reason: 'Phishing.' })).rejects.toMatchObject({
      kind: 'missing',
    });
  },
);
