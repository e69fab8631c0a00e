// The search. Its index is in parts that are loaded with script elements, which works for files too.
const valise = (function () {
  "use strict";
  let table = null, letters = null;
  const words = new Map(), documents = new Map(), waiting = new Map();
  const step = 30, mostParts = 12;
  let current = 0, more = null;

  // Parts.

  function load(kind, number) {
    const name = kind + "/" + Math.floor(number / table.perFolder) + "/" + (number % table.perFolder);
    const store = kind === "words" ? words : documents;
    if (store.has(number)) return Promise.resolve(store.get(number));
    if (waiting.has(name)) return waiting.get(name);
    const promise = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = "search/" + name + ".js";
      script.onload = () => { script.remove(); waiting.delete(name); store.has(number) ? resolve(store.get(number)) : reject(new Error(name)); };
      script.onerror = () => { script.remove(); waiting.delete(name); reject(new Error(name)); };
      document.head.append(script);
    });
    waiting.set(name, promise);
    return promise;
  }
  function keep(store, number, value) {
    // Not all of a large index stays in memory.
    if (store.size > 400) store.delete(store.keys().next().value);
    store.set(number, value);
  }

  // A character that is not of ASCII: letters, "" for none, true for a word of its own, null for what separates words.
  function letter(character) {
    if (letters.has(character)) return letters.get(character);
    // It does not occur in the texts: as a capital or without its accent it may.
    const lower = character.toLowerCase();
    if (letters.has(lower)) return letters.get(lower);
    const base = lower.normalize("NFKD").replace(/\p{M}/gu, "");
    if (base === "") return "";
    return /^[0-9a-z]+$/.test(base) || letters.has(base) ? (letters.get(base) || base) : null;
  }

  // Words, as the export found them.

  function fold(text) {
    const found = [];
    let word = "", length = 0;
    const end = () => { if (word) found.push(word); word = ""; length = 0; };
    for (const character of text) {
      const code = character.codePointAt(0);
      const folded = code < 128 ? (/[0-9a-z]/i.test(character) ? character.toLowerCase() : null) : letter(character);
      if (folded === "") continue;
      if (folded === null) end();
      else if (folded === true) { end(); word = character; end(); }
      else { if (length < table.mostScalars) word += folded; length += 1; }
    }
    end();
    return found;
  }

  // As the bytes of UTF-8 are ordered.
  function compare(left, right) {
    let at = 0;
    while (at < left.length && at < right.length) {
      const a = left.codePointAt(at), b = right.codePointAt(at);
      if (a !== b) return a - b;
      at += a > 0xffff ? 2 : 1;
    }
    return left.length - right.length;
  }
  // How many entries of a sorted list are not after a word.
  function upTo(list, word, text) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(text(list[middle]), word) <= 0) low = middle + 1; else high = middle;
    }
    return low;
  }
  function decode(code) {
    const numbers = [];
    let last = -1, value = 0, shift = 0;
    for (let at = 0; at < code.length; at += 1) {
      const unit = code.charCodeAt(at);
      if (unit < 93) { value += (unit - 48) * 2 ** shift; shift += 5; continue; }
      last += value + (unit - 93) * 2 ** shift;
      numbers.push(last);
      value = 0;
      shift = 0;
    }
    return numbers;
  }

  // The documents of a word; with isBeginning those of all words that begin so.
  async function find(word, isBeginning) {
    const same = (text) => text;
    const first = Math.max(0, upTo(table.first, word, same) - 1);
    let last = first;
    if (isBeginning) last = Math.max(first, Math.min(first + mostParts - 1, upTo(table.first, word + "\u{10ffff}", same) - 1));
    if (table.first.length === 0) return [];
    const parts = await Promise.all(Array.from({ length: last - first + 1 }, (_, at) => load("words", first + at)));
    const lists = [];
    for (const lines of parts) {
      const head = (line) => line.slice(0, line.indexOf(" "));
      let at = upTo(lines, word, head);
      if (at > 0 && head(lines[at - 1]) === word) at -= 1;
      for (; at < lines.length && (isBeginning ? lines[at].startsWith(word) : head(lines[at]) === word); at += 1) {
        lists.push(decode(lines[at].slice(lines[at].indexOf(" ") + 1)));
      }
    }
    if (lists.length <= 1) return lists[0] || [];
    const bits = new Uint8Array(Math.ceil(table.count / 8));
    for (const list of lists) for (const number of list) bits[number >> 3] |= 1 << (number & 7);
    const all = [];
    for (let number = 0; number < table.count; number += 1) {
      if (bits[number >> 3] === 0) { number |= 7; continue; }
      if (bits[number >> 3] & (1 << (number & 7))) all.push(number);
    }
    return all;
  }
  function intersect(left, right) {
    const both = [];
    for (let a = 0, b = 0; a < left.length && b < right.length;) {
      if (left[a] === right[b]) { both.push(left[a]); a += 1; b += 1; } else if (left[a] < right[b]) a += 1; else b += 1;
    }
    return both;
  }

  // Queries.

  // Words, and phrases in quotes; the last word may be a beginning.
  function parse(text) {
    const phrases = [], plain = [];
    const pattern = /"([^"]*)"?|[^"]+/g;
    for (let match; (match = pattern.exec(text));) {
      const found = fold(match[0]);
      if (match[0].startsWith("\"") && found.length > 1) phrases.push(found);
      else for (const word of found) plain.push(word);
    }
    // Words of scripts without spaces belong together.
    const isOpen = /[^\s"]$/.test(text) && plain.length > 0;
    return { phrases, plain, beginning: isOpen ? plain[plain.length - 1] : null };
  }
  function containsPhrase(folded, phrase) {
    for (let at = 0; at + phrase.length <= folded.length; at += 1) {
      if (phrase.every((word, place) => folded[at + place] === word)) return true;
    }
    return false;
  }

  async function run(text, where) {
    const query = parse(text), all = new Set(query.plain.concat(...query.phrases));
    if (all.size === 0) return null;
    const lists = await Promise.all(Array.from(all, (word) => find(word, word === query.beginning && word.length > 1)));
    lists.sort((left, right) => left.length - right.length);
    let hits = lists.reduce(intersect);
    if (where !== "") {
      const number = Number(where), start = table.conversations[number][2];
      const end = number + 1 < table.conversations.length ? table.conversations[number + 1][2] : table.count;
      hits = hits.filter((hit) => hit >= start && hit < end);
    }
    return { query, hits: newestFirst(hits), all };
  }
  // Conversations in the order of the list, and in each the newest first.
  function newestFirst(hits) {
    const ordered = [];
    let end = hits.length;
    const groups = [];
    for (let number = table.conversations.length - 1; number >= 0; number -= 1) {
      let start = end;
      while (start > 0 && hits[start - 1] >= table.conversations[number][2]) start -= 1;
      if (start < end) groups.push(hits.slice(start, end).reverse());
      end = start;
    }
    for (const group of groups.reverse()) for (const hit of group) ordered.push(hit);
    return ordered;
  }

  // Results.

  async function documentOf(hit) {
    const part = await load("documents", Math.floor(hit / table.perFile));
    const at = (hit % table.perFile) * 6, rows = part.rows;
    return {
      page: part.pages[rows[at]], author: part.authors[rows[at + 1]], minutes: rows[at + 2], isDeleted: rows[at + 3] === 1,
      key: rows[at + 4], text: rows[at + 5].replace("\u0001", "…"), isCut: rows[at + 5].endsWith("\u0001"),
    };
  }
  function conversationOf(hit) {
    let low = 0;
    table.conversations.forEach((conversation, number) => { if (conversation[2] <= hit) low = number; });
    return table.conversations[low][0];
  }
  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  // Local, as on the pages.
  function timeOf(item) {
    const time = new Date(item.minutes * 60000);
    if (isNaN(time)) return "";
    const two = (number) => String(number).padStart(2, "0");
    return time.getFullYear() + "-" + two(time.getMonth() + 1) + "-" + two(time.getDate()) + " " + two(time.getHours()) + ":" + two(time.getMinutes());
  }
  // The text with the words marked.
  function marked(text, found) {
    const snippet = element("span", "snippet");
    snippet.dir = "auto";
    const wanted = Array.from(found.all);
    let start = 0;
    if (text.length > 240) {
      const pieces = text.matchAll(/[^\s]+/g);
      for (const piece of pieces) if (isWanted(piece[0], wanted, found)) { start = Math.max(0, piece.index - 60); break; }
    }
    if (start > 0) snippet.append("…");
    for (const piece of text.slice(start, start + 300).match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu) || []) {
      snippet.append(isWanted(piece, wanted, found) ? element("mark", "", piece) : piece);
    }
    return snippet;
  }
  function isWanted(piece, wanted, found) {
    return fold(piece).some((word) => wanted.some((other) => word === other || (other === found.query.beginning && word.startsWith(other))));
  }
  function result(hit, item, found, isSure) {
    const entry = element("li");
    const link = element("a");
    link.href = item.page.split("/").map(encodeURIComponent).join("/") + ".html#m-" + encodeURIComponent(item.key);
    const name = document.createElement("bdi");
    name.textContent = conversationOf(hit);
    link.append(name);
    const author = document.createElement("bdi");
    author.textContent = item.author;
    const info = element("span", "info");
    info.append(" · ", author, " · " + timeOf(item));
    if (item.isDeleted) info.append(" · deleted or blocked");
    if (!isSure) info.append(" · further down in a long message");
    entry.append(link, info);
    if (item.isDeleted) {
      const details = element("details");
      details.append(element("summary", "", "deleted or blocked message"), marked(item.text, found));
      entry.append(details);
    } else entry.append(marked(item.text, found));
    return entry;
  }

  async function showMore(found, from, turn) {
    const list = document.getElementById("results"), button = document.getElementById("more");
    let at = from, added = 0;
    while (at < found.hits.length && added < step) {
      const batch = found.hits.slice(at, at + step);
      const items = await Promise.all(batch.map(documentOf));
      if (turn !== current) return;
      for (let place = 0; place < batch.length && added < step; place += 1) {
        at += 1;
        const item = items[place], folded = found.query.phrases.length ? fold(item.text) : [];
        const hasAll = found.query.phrases.every((phrase) => containsPhrase(folded, phrase));
        if (!hasAll && !item.isCut) continue;
        list.append(result(batch[place], item, found, hasAll));
        added += 1;
      }
    }
    button.hidden = at >= found.hits.length;
    more = () => showMore(found, at, turn);
    return added;
  }

  async function search() {
    const text = document.getElementById("query").value, where = document.getElementById("where").value;
    const status = document.getElementById("status"), list = document.getElementById("results");
    current += 1;
    const turn = current, began = performance.now();
    document.getElementById("more").hidden = true;
    try {
      history.replaceState(null, "", "#q=" + encodeURIComponent(text) + (where ? "&in=" + where : ""));
    } catch (error) { /* A browser may refuse it for files. */ }
    try {
      const found = await run(text, where);
      if (turn !== current) return;
      list.textContent = "";
      if (!found) { status.textContent = ""; return; }
      const added = await showMore(found, 0, turn);
      if (turn !== current) return;
      const count = found.hits.length, isExact = found.query.phrases.length === 0;
      status.textContent = added === 0 ? "nothing found" : (isExact ? "" : "at most ") + count + (count === 1 ? " message" : " messages")
        + " (" + Math.max(1, Math.round(performance.now() - began)) + " ms)";
      status.dataset.milliseconds = String(performance.now() - began);
    } catch (error) {
      status.textContent = "a part of the search index is missing: " + error.message;
    }
  }

  function start(given) {
    table = given;
    letters = new Map();
    for (const character of table.folds.dropped) letters.set(character, "");
    for (const character of table.folds.single) letters.set(character, true);
    for (const character of table.folds.same) letters.set(character, character);
    for (let at = 0; at < table.folds.changed.length; at += 2) letters.set(table.folds.changed[at], table.folds.changed[at + 1]);
    const where = document.getElementById("where"), query = document.getElementById("query");
    table.conversations.forEach((conversation, number) => {
      const option = element("option", "", conversation[0]);
      option.value = String(number);
      where.append(option);
    });
    const asked = new URLSearchParams(location.hash.slice(1));
    query.value = asked.get("q") || query.value;
    where.value = asked.get("in") || "";
    let timer = 0;
    query.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 120); });
    query.addEventListener("keydown", (event) => { if (event.key === "Enter") { clearTimeout(timer); search(); } });
    where.addEventListener("change", search);
    document.getElementById("more").addEventListener("click", () => { if (more) more(); });
    if (query.value) search();
  }

  return {
    index(given) { start(given); },
    words(number, text) { keep(words, number, text.split("\n").slice(0, -1)); },
    documents(number, pages, authors, rows) { keep(documents, number, { pages, authors, rows }); },
  };
})();
