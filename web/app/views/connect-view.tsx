import { guide } from 'virtual:connect-guide';
import { installLinks } from '../../../contract/discovery/install-links.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { texts } from '../texts/en.ts';

const t = texts.connect;
const exampleAddress = 'https://app.example.com';

/** How agents and builds are connected: `docs/connect.md` with this installation's address. */
export function ConnectView() {
  const endpoint = `${location.origin}/mcp`;
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <section className="card stack">
        <h2>{t.endpoint}</h2>
        <p className="address">
          <code>{endpoint}</code>
          <CopyButton text={endpoint} />
        </p>
        <div className="choices">
          {installLinks(endpoint).map(({ client, href }) => (
            <a key={client} className="button quiet small" href={href}>
              {t.addTo(client)}
            </a>
          ))}
          <a className="button quiet small" href="/docs/connect">
            {t.guide}
          </a>
        </div>
      </section>
      <div className="guide">
        {guide.map(({ name, blocks }) => (
          <details key={name} className="card">
            <summary>{name}</summary>
            <div className="stack">
              {blocks.map(({ kind, text }) => (
                <Block
                  key={text}
                  kind={kind}
                  text={text.replaceAll(exampleAddress, location.origin)}
                />
              ))}
            </div>
          </details>
        ))}
      </div>
    </>
  );
}

function Block({ kind, text }: { kind: 'text' | 'code'; text: string }) {
  if (kind === 'text') return <p>{withCode(text)}</p>;
  return (
    <div className="copied">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}

/** Every second part of a text that is split at backticks is code. */
function withCode(text: string) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={`${index}${part}`}>{part}</code> : part));
}
