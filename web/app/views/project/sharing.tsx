import { CopyButton } from '../../../ui/copy-button.tsx';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';

const t = texts.project;

/** The link as a QR code, and as code for other pages. */
export function Sharing({ project }: { project: Project }) {
  const { id, url, title, status } = project;
  if (status !== 'public') return null;
  const embed = `<iframe src="${escaped(url)}" title="${escaped(title)}" width="800" height="600"></iframe>`;
  return (
    <section className="stack">
      <h2>{t.qr}</h2>
      <div className="qr">
        <img src={`/qr/${id}.svg`} alt={url} width="160" height="160" loading="lazy" />
        <div className="choices">
          <a
            className="button quiet small"
            href={`/qr/${id}.png?size=1024`}
            download={`${project.slug}.png`}
          >
            {t.png}
          </a>
          <a className="button quiet small" href={`/qr/${id}.svg`} download={`${project.slug}.svg`}>
            {t.svg}
          </a>
        </div>
      </div>
      <h2>{t.embed}</h2>
      <p className="address">
        <code>{embed}</code>
        <CopyButton text={embed} />
      </p>
    </section>
  );
}

/** For an attribute in double quotes (HTML, "Attributes"). */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
