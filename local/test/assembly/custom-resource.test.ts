import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CustomStates, runCustomResource } from '../../assembly/custom-resource.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';
import { stateFile } from '../../state/state-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Event {
  RequestType: string;
  ResponseURL: string;
  StackId: string;
  RequestId: string;
  LogicalResourceId: string;
  PhysicalResourceId?: string;
  ResourceProperties: Record<string, unknown>;
  OldResourceProperties?: Record<string, unknown>;
}

/** A function that answers CloudFormation as `respond` says. */
function aFunction(respond: (event: Event) => object) {
  const events: Event[] = [];
  return {
    events,
    invoke: async (_: string, event: unknown): Promise<InvokeResult> => {
      const request = event as Event;
      events.push(request);
      const { StackId, RequestId, LogicalResourceId, ResponseURL } = request;
      const body = { StackId, RequestId, LogicalResourceId, ...respond(request) };
      await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(body) });
      return { ok: true, payload: null, requestId: 'r' };
    },
  };
}

function aResource(properties = {}) {
  return {
    stack: 'Stack',
    logicalId: 'Key',
    type: 'Custom::Key',
    properties: { ServiceToken: 'arn:fn', ...properties },
  };
}

function aState() {
  const path = join(temporaryFolder('custom'), 'state.json');
  return () => stateFile(path, CustomStates, {});
}

const success = () => ({ Status: 'SUCCESS', PhysicalResourceId: 'key-1', Data: { Pem: 'PEM' } });

describe('a custom resource', () => {
  test('is created once and then reused', async () => {
    const state = aState();
    const fn = aFunction(success);
    const first = await runCustomResource(aResource({ Size: 2048 }), state(), fn);
    const second = await runCustomResource(aResource({ Size: 2048 }), state(), fn);
    expect(first).toMatchObject({ physicalId: 'key-1', data: { Pem: 'PEM' } });
    expect(second).toEqual(first);
    expect(fn.events).toMatchObject([
      { RequestType: 'Create', LogicalResourceId: 'Key', ResourceProperties: { Size: '2048' } },
    ]);
  });

  test('is updated when a property changes, and replaced under another id', async () => {
    const state = aState();
    const fn = aFunction(({ RequestType }) => ({
      ...success(),
      PhysicalResourceId: RequestType === 'Update' ? 'key-2' : 'key-1',
    }));
    await runCustomResource(aResource({ Size: 1 }), state(), fn);
    const result = await runCustomResource(aResource({ Size: 2 }), state(), fn);
    expect(result.physicalId).toBe('key-2');
    expect(fn.events.slice(1)).toMatchObject([
      {
        RequestType: 'Update',
        PhysicalResourceId: 'key-1',
        ResourceProperties: { Size: '2' },
        OldResourceProperties: { Size: '1' },
      },
      { RequestType: 'Delete', PhysicalResourceId: 'key-1', ResourceProperties: { Size: '1' } },
    ]);
  });

  test('that fails stops the start and is created again at the next start', async () => {
    const state = aState();
    const failing = aFunction(() => ({ Status: 'FAILED', Reason: 'no entropy' }));
    await expect(runCustomResource(aResource(), state(), failing)).rejects.toThrow(/no entropy/);
    const fn = aFunction(success);
    await runCustomResource(aResource(), state(), fn);
    expect(fn.events[0]?.RequestType).toBe('Create');
  });

  test('whose function crashes stops the start immediately', async () => {
    const invoke = async (): Promise<InvokeResult> => ({
      ok: false,
      errorType: 'TypeError',
      errorMessage: 'x is undefined',
    });
    await expect(runCustomResource(aResource(), aState()(), { invoke })).rejects.toThrow(
      /Custom::Key Key.*TypeError: x is undefined/,
    );
  });
});
