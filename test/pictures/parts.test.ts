import { take, usePictures } from './views.ts';

const names = ['autumn', 'invoice', 'password', 'welcome'];
const footer = (city: string) => `<table role="presentation" width="100%">
  <tr><td>Shop Ltd., 1 Main Street, ${city}</td></tr>
  <tr><td><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></td></tr>
</table>`;
const createBody = (name: string) => `<!doctype html>
<html lang="en">
<body>
<h1>${name}</h1>
<!-- part: footer -->${footer('Springfield')}<!-- /part -->
</body>
</html>
`;

describe('Pictures of linked parts', () => {
  const window = usePictures({
    files: {
      ...Object.fromEntries(names.map((name) => [`emails/${name}/body.html`, createBody(name)])),
      'mailing-parts/footer.html': footer('Springfield'),
      'mailing.json': JSON.stringify({ templates: names.map((name) => ({ folder: `emails/${name}`, ids: {} })) }),
    },
  });

  it('show how templates change', async () => {
    const workbench = window();
    const { editors, notifications, quickInput } = workbench;
    await quickInput.openFile('footer.html');
    await editors.waitForActive('footer.html');
    await editors.replaceAll(footer('Shelbyville'));
    await editors.save();
    await notifications.waitFor(/has changed/u);
    await notifications.click(/has changed/u, `Update ${names.length} Templates…`);
    await notifications.waitFor(/Review the changes/u);
    await editors.waitForText(/Shelbyville/u);
    await take(workbench, 'parts');
  });
});
