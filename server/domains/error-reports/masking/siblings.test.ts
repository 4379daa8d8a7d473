import { expect, test } from 'vitest'
import { maskRaw } from './mask-raw.ts'

/** Each with something beside it that looks like it and is none, and stays. */
test.each([
  [
    'name in an attribute key',
    '<entry key="password">s3 cr3t</entry><entry key="username">bob</entry><entry key="dbPassword2">s3cr3t</entry>',
    '<entry key="password">***</entry><entry key="username">bob</entry><entry key="dbPassword2">***</entry>',
  ],
  [
    'name in an attribute key that is no word',
    '<entry key="OAuth2ClientSecret" a="1">s3cr3t</entry><entry key="OAuth2">8f3b</entry>',
    '<entry key="***" a="1">***</entry><entry key="***">8f3b</entry>',
  ],
  [
    'key in an attribute',
    `<api key="8f3b01c2aa77">x</api><api key='abc-def-9'/><api key="checkout.title"/>`,
    `<api key="***">x</api><api key='***'/><api key="checkout.title"/>`,
  ],
  [
    'name in an attribute key, with blanks, in a text',
    String.raw`"<entry a=\"1\" key=\"API key\">s3cr3t</entry><entry a=\"1\" key=\"First name\">b1</entry>"`,
    String.raw`"<entry a=\"1\" key=\"API key\">***</entry><entry a=\"1\" key=\"First name\">b1</entry>"`,
  ],
  [
    'name in an attribute key, with entities',
    '&lt;entry key=&quot;password&quot;&gt;s3cr3t&lt;/entry&gt;&lt;entry key=&quot;username&quot;&gt;b1&lt;/entry&gt;',
    '&lt;entry key=&quot;password&quot;&gt;***&lt;/entry&gt;&lt;entry key=&quot;username&quot;&gt;b1&lt;/entry&gt;',
  ],
  [
    'key and value',
    '<item><key>password</key><value>s3 cr3t</value></item><item><key>name</key><value>Cha1r</value></item>',
    '<item><key>password</key><value>***</value></item><item><key>name</key><value>Cha1r</value></item>',
  ],
  [
    'key and value, with types',
    '<item><key xsi:type="xsd:string">password</key>\n <value xsi:type="xsd:string">s3cr3t</value></item><item><key xsi:type="xsd:string">address1</key>\n <value xsi:type="xsd:string">r3d</value></item>',
    '<item><key xsi:type="xsd:string">password</key>\n <value xsi:type="xsd:string">***</value></item><item><key xsi:type="xsd:string">address1</key>\n <value xsi:type="xsd:string">r3d</value></item>',
  ],
  [
    'Key and Value of .NET',
    '<d:Key>password</d:Key><d:Value>s3cr3t</d:Value><key><string>token</string></key><value><string>s3cr3t</string></value><key><string>hue</string></key><value><string>r3d</string></value>',
    '<d:Key>password</d:Key><d:Value>***</d:Value><key><string>token</string></key><value>***</value><key><string>hue</string></key><value><string>r3d</string></value>',
  ],
  [
    'key alone',
    '<key>8f3b01c2aa77</key><key>username</key><Key>user.password</Key>',
    '<key>***</key><key>username</key><Key>user.password</Key>',
  ],
  ['key that has a value', '<key>8f3b01c2aa77</key><value>r3d</value>', '<key>***</key><value>r3d</value>'],
  [
    'XML-RPC',
    '<member><name>password</name><value><string>s3cr3t</string></value></member><member><name>hue</name><value><string>r3d</string></value></member>',
    '<member><name>password</name><value>***</value></member><member><name>hue</name><value><string>r3d</string></value></member>',
  ],
  [
    'name and value',
    '<item><name>apiToken</name><value>s3cr3t</value></item><item><name>Password reset e-mail</name><value>y3s</value></item>',
    '<item><name>apiToken</name><value>***</value></item><item><name>Password reset e-mail</name><value>y3s</value></item>',
  ],
  [
    'name, others, value',
    '<p><Name>Client secret</Name><Type>text</Type><Token>s3cr3t</Token><Value>s3cr3t</Value></p><p><Name>password</Name><Type>t3xt</Type></p><Value>r3d</Value>',
    '<p><Name>Client secret</Name><Type>text</Type><Token>***</Token><Value>***</Value></p><p><Name>password</Name><Type>t3xt</Type></p><Value>r3d</Value>',
  ],
  [
    'name and value, with CDATA',
    '<name><![CDATA[password]]></name><value><![CDATA[s3</value>cr3t]]></value><name><![CDATA[hue]]></name><value><![CDATA[r3d]]></value>',
    '<name><![CDATA[password]]></name><value>***</value><name><![CDATA[hue]]></name><value><![CDATA[r3d]]></value>',
  ],
  [
    'name and value, with entities',
    '&lt;name&gt;password&lt;/name&gt;\n&lt;value&gt;s3cr3t&lt;/value&gt;&lt;name&gt;hue&lt;/name&gt;&lt;value&gt;r3d&lt;/value&gt;',
    '&lt;name&gt;password&lt;/name&gt;\n&lt;value&gt;***&lt;/value&gt;&lt;name&gt;hue&lt;/name&gt;&lt;value&gt;r3d&lt;/value&gt;',
  ],
  [
    'key and value, in a text',
    String.raw`"<key>password<\/key>\n  <value>s3cr3t<\/value>\n<key>hue<\/key>\n  <value>r3d<\/value>"`,
    String.raw`"<key>password<\/key>\n  <value>***<\/value>\n<key>hue<\/key>\n  <value>r3d<\/value>"`,
  ],
  [
    'XStream',
    '<entry>\n <string>password</string>\n <string>s3cr3t</string></entry><entry><string>hue</string><string>r3d</string></entry><list><string>password</string><string>t1tle</string></list>',
    '<entry>\n <string>password</string>\n <string>***</string></entry><entry><string>hue</string><string>r3d</string></entry><list><string>password</string><string>t1tle</string></list>',
  ],
  ['without a value', '<name>password</name><value/><name>token</name><value></value><name>hue</name>r3d', undefined],
  [
    'other members between name and value',
    '{"name":"token","password":"s3cr3t","value":"s3cr3t"},{"name":"hue","hint":"r3d","value":"r3d"}',
    '{"name":"token","password":"***","value":"***"},{"name":"hue","hint":"r3d","value":"r3d"}',
  ],
])('a name and its value in two places: %s', (_, text, masked = text) => {
  expect(maskRaw(text)).toBe(masked)
  expect(maskRaw(masked)).toBe(masked)
})
