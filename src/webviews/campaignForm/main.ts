import './form.css';
import { connectHost } from '../kit/host.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../kit/toolkit.ts';
import { FormPage } from './page.ts';
import type { PageState } from './page.ts';
import type { FromPage, ToPage } from './protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const host = connectHost<ToPage, FromPage, PageState>();
const page = new FormPage(host);
document.body.append(...page.elements);
page.start();
