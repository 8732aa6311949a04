import type { ComponentProps } from 'react';

/** A button that sends no form. */
export function Button({ looks = 'quiet small', ...rest }: ButtonProps) {
  return <button {...rest} type="button" className={`button ${looks}`} />;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  looks?: '' | 'small' | 'quiet' | 'quiet small' | 'danger' | 'danger small';
}
