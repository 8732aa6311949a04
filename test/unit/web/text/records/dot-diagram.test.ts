import { expect, test } from '@jest/globals';
import { dotDiagram } from '../../../../../web/text/records/dot-diagram.ts';

const flow = (...lines: string[]) => ['flowchart TB', ...lines].join('\n');

test.each([
  ['an edge', 'digraph { a -> b }', flow('n0("a")', 'n1("b")', 'n0 --> n1')],
  [
    'an edge without a direction',
    'strict graph "G" { a -- b; }',
    flow('n0("a")', 'n1("b")', 'n0 --- n1'),
  ],
  [
    'defaults, labels and shapes',
    'digraph G { node [shape=box]; a [label="North\\nquay", shape=diamond] b -> a [label="ebb", style=dashed] }',
    flow('n0{"North<br/>quay"}', 'n1["b"]', 'n1 -.->|"ebb"| n0'),
  ],
  [
    'chains and groups',
    'digraph { rankdir=LR; a -> { b; c } -> d }',
    [
      'flowchart LR',
      'n0("a")',
      'n1("b")',
      'n2("c")',
      'n3("d")',
      'n0 --> n1',
      'n0 --> n2',
      'n1 --> n3',
      'n2 --> n3',
    ].join('\n'),
  ],
  [
    'clusters in clusters',
    'graph { subgraph cluster_0 { label = "Port"; a subgraph cluster_1 { graph [label=Quay] b } } c }',
    flow(
      'subgraph g0["Port"]',
      'subgraph g1["Quay"]',
      'n1("b")',
      'end',
      'n0("a")',
      'end',
      'n2("c")',
    ),
  ],
  [
    'records, ports and markup',
    'digraph { a [shape=record,label="<l>left|{up|down}"]; b [shape=plain,label=<<b>bold</b><br/>x>]; a:l:n -> b }',
    flow('n0["left<br/>up<br/>down"]', 'n1["bold <br/>x"]', 'n0 --> n1'),
  ],
  [
    'comments, and signs that Mermaid knows',
    '/* a */ // b\n# c\ndigraph { "end" [label="#1; \\"click\\" <b>"] }',
    flow('n0("#35;1#59; #34;click#34; #60;b#62;")'),
  ],
])('%s', (_, dot, expected) => expect(dotDiagram(dot)).toBe(expected));

test.each([
  ['no graph', 'int main() { return 0; }'],
  ['nothing', ''],
  ['an empty graph', 'digraph {}'],
  ['a graph without an end, and deep', `digraph ${'{'.repeat(100)}`],
  ['more edges than are drawn', `digraph { ${'a -> b; '.repeat(400)} }`],
  [
    'edges of all to all',
    `digraph { {${'a b c d e f g h '.repeat(9)}} -> {${'i j k '.repeat(9)}} }`,
  ],
  [
    'more nodes than are drawn',
    `digraph { ${Array.from({ length: 400 }, (_, at) => `n${at}`).join(' ')} }`,
  ],
])('%s is no diagram', (_, dot) => expect(dotDiagram(dot)).toBeUndefined());
