import './sendReview.css';
import { connectHost } from '../../webview/host.ts';
import { button, registerControls } from '../../webview/toolkit.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { SendReviewPage } from './page.ts';

registerControls(button);
new SendReviewPage(connectHost<ToPage, FromPage, undefined>()).start();
