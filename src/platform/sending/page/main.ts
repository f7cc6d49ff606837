import './lastLook.css';
import { connectHost } from '../../webview/host.ts';
import { button, registerControls } from '../../webview/toolkit.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { LastLookPage } from './page.ts';

registerControls(button());
new LastLookPage(connectHost<ToPage, FromPage, undefined>()).start();
