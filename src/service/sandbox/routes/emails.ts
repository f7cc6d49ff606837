import { okMessage, fail, readNumber, readText } from './route.ts';
import type { RouteHandlers } from './route.ts';

/** Tasks of the `acymailing` profile that are not in the API document, with checks in the same order. */
export const emailRoutes: RouteHandlers = {
  sendEmailToSingleUser: {
    method: 'POST',
    failure: 'Error sending.',
    run({ body, store, mailer }) {
      const email = readText(body['email']);
      if (!email) return fail(422, 'Receiver email address not provided in the request body.');
      const user = store.people.find(email);
      if (user === undefined) return fail(404, "User doesn't exist");
      const id = readNumber(body['emailId']);
      if (id === undefined) return fail(422, 'Email ID not provided in the request body.');
      const mail = store.mail(id);
      if (!mail) return fail(404, "Email doesn't exist");
      if (mail.subject === '' || mail.body === '') return fail(500, 'Error sending.');
      mailer.deliver(id, user);
      return okMessage('Email sent successfully.');
    },
  },
};
