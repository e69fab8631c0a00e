/// How pages are made.
package struct HTMLOptions: Sendable {
    /// What the first page is called.
    package var title = "Messages"
    /// Whether there is a search page with its index.
    package var hasSearch = true
    /// Whether a server gives the pages: then they may load the bytes of voice messages to draw them, and search by it.
    package var isServed = false
    /// How conversations are divided.
    package var split = PageSplit()
    package var templates: PageTemplates
    /// Of local time from UTC at a moment, in seconds east; the system's where nothing else is given.
    package var offset: @Sendable (Int64) -> Int64

    /// - Parameters:
    ///   - templates: of the pages.
    ///   - offset: of local time from UTC at a moment, in seconds east; nil for the system's.
    package init(templates: PageTemplates, offset: (@Sendable (Int64) -> Int64)? = nil) {
        self.templates = templates
        self.offset = offset ?? PageClock.systemOffset
    }
}
