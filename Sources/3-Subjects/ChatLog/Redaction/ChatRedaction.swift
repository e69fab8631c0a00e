/// What is kept back where conversations are given to others (Documentation/formats/redaction-rules.md).
package struct ChatRedaction: Sendable, Equatable {
    /// A kind of what identifies somebody.
    package enum Category: String, Sendable, CaseIterable {
        /// Names of people and groups, what they say about themselves, and the IDs of members and messages.
        case names
        case phones
        /// Addresses of the web, of SimpleX and of e-mail, and previews of pages.
        case links
        /// Files and their names, previews and profile pictures.
        case media
    }

    /// What texts of one's own become.
    package struct Replacement: Sendable, Equatable {
        /// What is replaced.
        package enum Pattern: Sendable, Equatable {
            /// These words, in any case of letters.
            case words(String)
            /// What a regular expression matches.
            case expression(String)
        }

        package let pattern: Pattern
        package let text: String

        package init(_ pattern: Pattern, by text: String) {
            self.pattern = pattern
            self.text = text
        }
    }

    package var categories: Set<Category> = []
    /// In this order, before everything else.
    package var replacements: [Replacement] = []

    package init(_ categories: Set<Category> = [], replacements: [Replacement] = []) {
        self.categories = categories
        self.replacements = replacements
    }

    /// Whether everything stays as it is.
    package var isEmpty: Bool { categories.isEmpty && replacements.isEmpty }

    /// How an export says what was kept back: the categories, and `texts` for replacements.
    package var words: [String] {
        Category.allCases.filter(categories.contains).map(\.rawValue)
            + (replacements.isEmpty ? [] : ["texts"])
    }

    /// What texts become for which there is nothing else.
    static let removed = "[removed]"
}
