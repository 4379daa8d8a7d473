import { describe, expect, test } from 'vitest'
import { maskRaw } from './mask-raw.ts'

describe('XML that is written with entities is read as XML', () => {
  test.each([
    [
      'attribute of an element that is a secret',
      '&lt;Credential Password=&quot;Zq7secret&quot;&gt;x&lt;/Credential&gt;',
      '&lt;Credential Password=&quot;***&quot;&gt;***&lt;/Credential&gt;',
    ],
    [
      'element without content',
      '&lt;token/&gt;&lt;message&gt;Out of stock&lt;/message&gt;',
      '&lt;token/&gt;&lt;message&gt;Out of stock&lt;/message&gt;',
    ],
    [
      'attribute of an element without content',
      '&lt;auth password=&quot;x1&quot;/&gt;&lt;a b=&quot;x1&quot;/&gt;',
      '&lt;auth password=&quot;***&quot;/&gt;&lt;a b=&quot;x1&quot;/&gt;',
    ],
    [
      'elements inside',
      '&lt;secret&gt;&lt;v&gt;s3&lt;/v&gt;&lt;w/&gt;&lt;v&gt;cr3t&lt;/v&gt;&lt;/secret&gt;&lt;b&gt;1&lt;/b&gt;',
      '&lt;secret&gt;***&lt;/secret&gt;&lt;b&gt;1&lt;/b&gt;',
    ],
    ['without an end', '&lt;token&gt; is missing\nin order 12', '&lt;token&gt;***\nin order 12'],
    [
      'twice',
      '&amp;lt;password&amp;gt;s3cr3t&amp;lt;/password&amp;gt;&amp;lt;b&amp;gt;1',
      '&amp;lt;password&amp;gt;***&amp;lt;/password&amp;gt;&amp;lt;b&amp;gt;1',
    ],
    [
      'numbers',
      '&#x3c;password&#x3E;s3cr3t&#x3c;/password&#x3e;&#60;b&#62;1',
      '&#x3c;password&#x3E;***&#x3c;/password&#x3e;&#60;b&#62;1',
    ],
    [
      'name in an attribute',
      '&lt;field name=&quot;password&quot;&gt;s3cr3t&lt;/field&gt;&lt;field name=&quot;hue&quot;&gt;r3d&lt;/field&gt;',
      '&lt;field name=&quot;password&quot;&gt;***&lt;/field&gt;&lt;field name=&quot;hue&quot;&gt;r3d&lt;/field&gt;',
    ],
    [
      'quotes alone',
      '<p name=&#34;password&#34;>s3cr3t</p><p name=&#34;hue&#34;>r3d</p>',
      '<p name=&#34;password&#34;>***</p><p name=&#34;hue&#34;>r3d</p>',
    ],
    [
      'quotes of JSON, twice',
      '{&amp;quot;token&amp;quot;:&amp;quot;s3 cr3t&amp;quot;,&amp;quot;b&amp;quot;:1}',
      '{&amp;quot;token&amp;quot;:&amp;quot;***&amp;quot;,&amp;quot;b&amp;quot;:1}',
    ],
    [
      'JSON in percent codes, twice',
      'data=%257B%2522password%2522%253A%2522s3cr3t%2522%252C%2522hue%2522%253A%2522r3d%2522%257D',
      'data=%257B%2522password%2522%253A%2522***%2522%252C%2522hue%2522%253A%2522r3d%2522%257D',
    ],
  ])('%s', (_, text, masked) => {
    expect(maskRaw(text)).toBe(masked)
    expect(maskRaw(masked)).toBe(masked)
  })
})
