import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../app/api/session.ts';
import { writeTo } from '../app/texts/en-errors.ts';

/** Whom somebody asks whose account or project was blocked; nothing where the installation names nobody. */
export function Contact() {
  const { data: config } = useQuery(configQuery);
  const contact = config?.securityContact;
  if (!contact) return null;
  return (
    <a className="button quiet small" href={contact.includes('@') ? `mailto:${contact}` : contact}>
      {writeTo(contact.replace('https://', ''))}
    </a>
  );
}
