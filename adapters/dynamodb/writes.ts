import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { retryOnConflict, tryConditionalWrite } from './document-client.ts';

type Row = Record<string, unknown>;
type Fields = Readonly<Record<string, unknown>>;
type Key = Readonly<Record<string, string>>;

/** What must be true of a row before a write. In its text, `#ttl` is the attribute `ttl`, and `:at` the value `at`. */
export interface Condition {
  when?: string;
  /** Those that the change itself does not have. */
  values?: Fields;
  /** Whether a transaction that fails because of this returns the row. */
  returnsRow?: boolean;
}

/** A change of a row. In all fields, `undefined` means no change. */
export interface Change extends Condition {
  set?: Fields;
  /** Set only where the row has no such attribute yet. */
  setOnce?: Fields;
  /** Numbers that are added, and sets whose members are. */
  add?: Fields;
  /** Sets whose members are removed. */
  takeOut?: Fields;
  /** Names of attributes that are removed. */
  remove?: readonly string[];
}

export const isNew = { when: 'attribute_not_exists(pk)' };
export const exists = { when: 'attribute_exists(pk)' };

/** A row has the revision that was read; 0: there was no row. */
export function hasRevision(revision: number): Condition {
  return revision === 0
    ? isNew
    : { when: 'revision = :seenRevision', values: { seenRevision: revision } };
}

/** A part of a transaction, or of {@link write}, that stores a row. */
export function put<Item extends Row>(TableName: string, Item: Item, condition?: Condition) {
  return { Put: { TableName, Item, ...expressions(condition) } };
}

/** The same, which changes a row, or creates it unless its condition requires one. */
export function update(TableName: string, Key: Key, change: Change) {
  const { set = {}, setOnce = {}, add = {}, takeOut = {}, remove = [] } = change;
  const UpdateExpression = [
    [
      'SET',
      [
        ...namesOf(set).map((name) => `#${name} = :${name}`),
        ...namesOf(setOnce).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
      ],
    ] as const,
    ['ADD', namesOf(add).map((name) => `#${name} :${name}`)] as const,
    ['DELETE', namesOf(takeOut).map((name) => `#${name} :${name}`)] as const,
    ['REMOVE', remove.map((name) => `#${placeholder(name)}`)] as const,
  ]
    .flatMap(([word, parts]) => (parts.length === 0 ? [] : `${word} ${parts.join(', ')}`))
    .join(' ');
  const fields = { ...set, ...setOnce, ...add, ...takeOut };
  const texts = expressions(change, { text: UpdateExpression, fields, removed: remove });
  return { Update: { TableName, Key, UpdateExpression, ...texts } };
}

/** The same, which deletes a row. */
export function remove(TableName: string, Key: Key, condition?: Condition) {
  return { Delete: { TableName, Key, ...expressions(condition) } };
}

/** A part of a transaction that only checks a row. */
export function check(TableName: string, Key: Key, condition: Condition & { when: string }) {
  const { when: ConditionExpression } = condition;
  return { ConditionCheck: { TableName, Key, ...expressions(condition), ConditionExpression } };
}

type Write = { Put: PutCommandInput } | ReturnType<typeof update> | ReturnType<typeof remove>;

/** Writes one row; false if its condition failed. */
export function write(client: DynamoDBDocumentClient, one: Write): Promise<boolean> {
  return retryOnConflict(() => tryConditionalWrite(send(client, one)));
}

function send(client: DynamoDBDocumentClient, one: Write): Promise<unknown> {
  if ('Put' in one) return client.send(new PutCommand(one.Put));
  if ('Update' in one) return client.send(new UpdateCommand(one.Update));
  return client.send(new DeleteCommand(one.Delete));
}

/** Updates one row and returns it as it is then; undefined if the condition failed. */
export async function updated(
  client: DynamoDBDocumentClient,
  { Update }: ReturnType<typeof update>,
): Promise<Row | undefined> {
  let row: Row | undefined;
  await retryOnConflict(() =>
    tryConditionalWrite(
      client
        .send(new UpdateCommand({ ...Update, ReturnValues: 'ALL_NEW' }))
        .then(({ Attributes }) => (row = Attributes)),
    ),
  );
  return row;
}

/** Changes in which null removes an attribute. */
export function nullsRemoved(changes: object): Pick<Change, 'set' | 'remove'> {
  const fields = Object.entries(changes);
  const removed = fields.filter(([, value]) => value === null);
  return {
    set: Object.fromEntries(fields.filter(([, value]) => value !== null)),
    remove: removed.map(([name]) => name),
  };
}

function defined(fields: Fields): [string, unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

function namesOf(fields: Fields): string[] {
  return defined(fields).map(([name]) => placeholder(name));
}

/** The name of an attribute as texts have it after `#` and `:`, which allow letters, digits and `_` only. Pure. */
export function placeholder(name: string): string {
  return name.replaceAll(/\W/g, '_');
}

/** The condition, names and values of a write; DynamoDB refuses names and values that no text has. */
function expressions(
  { when, values = {}, returnsRow }: Condition = {},
  {
    text = '',
    fields = {},
    removed = [],
  }: { text?: string; fields?: Fields; removed?: readonly string[] } = {},
) {
  const attributes = new Map(
    [...Object.keys(fields), ...removed].map((name) => [placeholder(name), name]),
  );
  const names = [...`${text} ${when}`.matchAll(/#(\w+)/g)].map(([whole, name = '']) => [
    whole,
    attributes.get(name) ?? name,
  ]);
  const all = defined({ ...fields, ...values }).map(([name, value]) => [
    `:${placeholder(name)}`,
    value,
  ]);
  return {
    ...(when !== undefined && { ConditionExpression: when }),
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(all.length > 0 && { ExpressionAttributeValues: Object.fromEntries(all) }),
    ...(returnsRow === true && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}
