/** A message for each kind of content that the service drops or changes. */
export const droppedMessages = {
  doctype: 'The service sends no doctype.',
  htmlAttribute: 'Attributes of <html> are not sent.',
  head: 'The service writes a head of its own: what stands here is not sent. The "headers" field goes into the new one.',
  script: 'Scripts are not sent.',
  revealed:
    'This kind of conditional comment is sent as text that everybody sees. Write <!--[if !mso]><!--> … <!--<![endif]-->.',
  fragmentStart:
    'An email that begins with this element loses it: the service takes it for a part of the head. Put <html><body> around it all.',
  afterBody: 'What stands after </body> is not sent.',
  conditionInAddress:
    'A condition in an address is not resolved: the braces are encoded before the service looks for them.',
  headersClass: 'The service cuts this class: only CSS in the "headers" field speaks of it, and can match nothing.',
  import: 'Imports are not sent.',
  media: 'Rules for this kind of media are not sent.',
  atRule: 'The service does not know this rule: its content is lost, and the rule after it too.',
  fontFace: 'A font without both "font-family" and "src" is not sent.',
  selector:
    'The service drops this selector: it matches nothing in the email itself. What is meant for a client belongs in the "headers" field.',
  root: 'Rules for the root are written into an element that is not sent.',
  important: 'The service removes "!important" where it writes the rule into style attributes.',
  fallback: 'Only the last of several values of a property is sent.',
} as const;
