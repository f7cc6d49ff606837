export const details = {
  name: 'Spring',
  display_name: 'Spring series',
  active: 0,
  send_once: 1,
  trigger: 'user_creation',
  condition: {},
  loop: 1,
  loop_delay: 172_800,
  loop_mail_skip: [],
  mails: [
    { mail_id: 8, delay: 3, delay_unit: 'days' },
    { mail_id: 7, delay: 10, delay_unit: 'minutes' },
  ],
};
