/** Remote images are off by default: loading one shows the sender that the email was viewed. */
export const initialToolbar = {
  view: 'authored',
  lens: 'none',
  width: 'full',
  scheme: 'light',
  remote: false,
  isInboxOpen: false,
} as const;

/** Value in place of a person's id that asks to pick a subscriber. */
export const PICK_SUBSCRIBER = 'pick';
