/// Whoever read the output has seen enough, such as `head`. That is no failure.
package struct ReaderGone: Error {
    package init() {}
}
