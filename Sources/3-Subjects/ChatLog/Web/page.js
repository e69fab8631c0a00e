// The theme, keys, pictures, secrets, voice messages and jumps of exported pages. Nothing is loaded from elsewhere.
(function () {
  "use strict";
  const root = document.documentElement;

  function stored(value) {
    try {
      if (value === undefined) return localStorage.getItem("theme");
      localStorage.setItem("theme", value);
    } catch (error) { /* A browser may keep nothing for files. */ }
    return null;
  }
  const theme = stored();
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // Theme.

  function isDark() {
    return (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  }
  function addThemeButton() {
    const top = document.querySelector(".top");
    if (!top) return;
    const button = make("button", { type: "button", class: "theme" });
    const label = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", isDark() ? "Light theme" : "Dark theme"); };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      stored(root.dataset.theme);
      label();
    });
    label();
    top.append(button);
  }

  // Pictures.

  let box = null, pictures = [], shown = 0;
  function show(number) {
    shown = (number + pictures.length) % pictures.length;
    const link = pictures[shown];
    box.querySelector("img").src = link.getAttribute("href");
    const name = link.querySelector("img").alt;
    box.querySelector("img").alt = name;
    box.querySelector("figcaption").textContent = name + ", " + (shown + 1) + " of " + pictures.length;
  }
  function open(link) {
    if (!box) {
      const button = (name, sign, label, action) => {
        const made = make("button", { type: "button", class: name, "aria-label": label }, sign);
        made.addEventListener("click", action);
        return made;
      };
      box = make("dialog", { class: "box", "aria-label": "Picture" },
        make("figure", {}, make("img", { alt: "" }), make("figcaption", { dir: "auto" })),
        button("before", "‹", "Previous picture", () => show(shown - 1)),
        button("after", "›", "Next picture", () => show(shown + 1)),
        button("close", "×", "Close", () => box.close()));
      box.addEventListener("click", (event) => { if (event.target === box || event.target.tagName === "IMG") box.close(); });
      box.addEventListener("close", () => pictures[shown].focus());
      document.body.append(box);
    }
    pictures = Array.from(document.querySelectorAll("a.pic"));
    show(pictures.indexOf(link));
    box.showModal();
  }

  // Secrets, pictures and quotes by one listener: a page has thousands of items.

  function clicked(event) {
    if (!(event.target instanceof Element)) return;
    const secret = event.target.closest(".secret");
    if (secret) { secret.setAttribute("aria-expanded", String(secret.getAttribute("aria-expanded") !== "true")); return; }
    const picture = event.target.closest("a.pic");
    if (picture && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); open(picture); }
  }

  // Jumps.

  // The item of the address; if it is on a later page, goes there. A quote of an old message knows its month only.
  function jump() {
    const id = decode(location.hash.slice(1));
    if (!id.startsWith("m-")) return;
    const item = document.getElementById(id);
    if (item) {
      for (let up = item.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
      const covered = item.querySelector("details.gone");
      if (covered) covered.open = true;
      item.focus({ preventScroll: true });
      item.scrollIntoView({ block: "center", behavior: "instant" });
      return;
    }
    const query = new URLSearchParams(location.search), steps = Number(query.get("steps") || 0);
    const next = document.querySelector("link[rel=next]");
    if (next && steps < 100) location.replace(next.getAttribute("href") + "?steps=" + (steps + 1) + location.hash);
    else notice("The quoted message is not in this export.");
  }
  function decode(text) { try { return decodeURIComponent(text); } catch (error) { return text; } }
  function notice(text) {
    document.querySelector("main").prepend(make("p", { class: "e", role: "status" }, text));
  }

  // Keys.

  function isTyping(target) { return target instanceof Element && target.closest("input, select, textarea, audio, video") !== null; }
  function move(step) {
    const items = Array.from(document.querySelectorAll(".m, .entries li"));
    if (items.length === 0) return;
    let at = items.indexOf(document.activeElement && document.activeElement.closest(".m, .entries li"));
    if (at < 0) {
      at = items.findIndex((item) => item.getBoundingClientRect().bottom > 80);
      if (at < 0) at = items.length - 1;
      if (step > 0) at -= 1;
    }
    const item = items[Math.max(0, Math.min(items.length - 1, at + step))];
    (item.matches(".m") ? item : item.querySelector("a") || item).focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }
  function follow(relation) {
    const link = document.querySelector("link[rel=" + relation + "]");
    if (link) location.href = link.getAttribute("href");
  }
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (box && box.open) {
      if (event.key === "ArrowLeft") show(shown - 1);
      if (event.key === "ArrowRight") show(shown + 1);
      return;
    }
    if (event.key === "Escape") {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      return;
    }
    if (isTyping(event.target)) return;
    const onItem = document.activeElement && document.activeElement.matches(".m");
    const key = onItem && event.key === "ArrowDown" ? "j" : onItem && event.key === "ArrowUp" ? "k" : event.key;
    if (key === "j") move(1);
    else if (key === "k") move(-1);
    else if (key === "n") follow("next");
    else if (key === "p") follow("prev");
    else if (key === "/") {
      const field = document.getElementById("query"), link = document.getElementById("search-link");
      if (field) field.focus();
      else if (link) location.href = link.getAttribute("href");
      else return;
    } else return;
    event.preventDefault();
  }

  // Voice messages: drawn where the page may read the file, which no browser allows a page that is a file itself.

  async function draw(audio) {
    const duration = audio.parentElement.querySelector(".dur");
    try {
      const bytes = await (await fetch(audio.getAttribute("src"))).arrayBuffer();
      const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes);
      const samples = sound.getChannelData(0), bars = 72;
      const canvas = make("canvas", { width: 288, height: 40, "aria-hidden": "true" });
      const peaks = Array.from({ length: bars }, (_, bar) => {
        let peak = 0;
        const end = Math.floor((bar + 1) * samples.length / bars);
        for (let at = Math.floor(bar * samples.length / bars); at < end; at += 4) peak = Math.max(peak, Math.abs(samples[at]));
        return peak;
      });
      const most = Math.max(0.01, ...peaks), pen = canvas.getContext("2d");
      const paint = () => {
        const played = audio.duration ? audio.currentTime / audio.duration : 0;
        pen.clearRect(0, 0, 288, 40);
        pen.fillStyle = getComputedStyle(canvas).color;
        peaks.forEach((peak, bar) => {
          const height = Math.max(2, 38 * peak / most);
          pen.globalAlpha = bar / bars < played ? 1 : 0.5;
          pen.fillRect(bar * 4, 20 - height / 2, 3, height);
        });
      };
      audio.addEventListener("timeupdate", paint);
      canvas.addEventListener("click", (event) => {
        const width = canvas.getBoundingClientRect().width;
        if (audio.duration) audio.currentTime = audio.duration * event.offsetX / width;
        else audio.play();
      });
      audio.after(canvas);
      paint();
    } catch (error) {
      if (duration) duration.dataset.drawn = "no";
    }
  }
  function watchVoices() {
    if (location.protocol === "file:" || !("IntersectionObserver" in window) || !("OfflineAudioContext" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
    });
    for (const audio of document.querySelectorAll(".voice audio")) observer.observe(audio);
  }

  // The list of conversations.

  function addFilter() {
    const field = document.getElementById("filter");
    if (!field) return;
    field.closest(".filter").hidden = false;
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      for (const item of document.querySelectorAll(".entries li")) item.hidden = !item.querySelector("a").textContent.toLowerCase().includes(wanted);
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    addThemeButton();
    addFilter();
    watchVoices();
    document.addEventListener("click", clicked);
    document.addEventListener("keydown", pressed);
    addEventListener("hashchange", jump);
    if (location.hash) jump();
    else if (document.body.classList.contains("chat") && !document.querySelector("link[rel=next]")) {
      // The newest page begins at the first unread message, or at its end.
      const unread = document.querySelector(".new"), day = document.querySelector("main").lastElementChild;
      if (unread) unread.scrollIntoView({ block: "start", behavior: "instant" });
      else if (day && day.lastElementChild) day.lastElementChild.scrollIntoView({ block: "end", behavior: "instant" });
    }
  });
})();
