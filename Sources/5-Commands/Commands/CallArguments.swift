import ArgumentParser
import Synchronization
import ValiseTerminal

/// The words of this call.
enum CallArguments {
    private static let words = Mutex<[String]>([])

    static func read(_ words: [String]) { Self.words.withLock { $0 = words } }

    /// The options of these names that this call has, to be typed into another one.
    static func options(_ names: [String], flags: [String]) -> [String] {
        ShellWord.options(names, flags: flags, in: words.withLock { $0 })
    }

    /// Refuses an empty path, name or statement: the variable of a script that is not set.
    /// - Throws: `ValidationError`.
    static func refuseEmpty() throws {
        var place = ""
        for word in words.withLock({ $0 }) {
            // No regular expression: to make one takes a twentieth of what a command needs to begin.
            let isValue =
                word.hasPrefix("--") && word.count > 3
                && word.firstIndex(of: "=") == word.index(before: word.endIndex)
            guard !word.isEmpty, !isValue else {
                let place = isValue ? " after \(word)" : place
                throw ValidationError("An argument\(place) is empty. Give it a value, or leave it out.")
            }
            place = word.hasPrefix("--") ? " after \(word)" : ""
        }
    }
}
