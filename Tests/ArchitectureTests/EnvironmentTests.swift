import Testing

/// Every variable of the environment that a program reads is in its manual page and in the README.
struct EnvironmentTests {
    /// Where a variable is read by its name, and where its name is kept.
    private static func names(in code: String) -> [String] {
        let read = code.matches(of: #/(?:variable|folder|getenv)\("([A-Z_]+)"/#).map { String($0.output.1) }
        let kept = code.matches(of: #/let (?:variable|switchedOff) = "([A-Z_]+)"/#)
        return read + kept.map { String($0.output.1) }
    }

    private static let ofRelay: Set = ["STATE_DIRECTORY", "NOTIFY_SOCKET"]

    @Test func `every variable that is read is documented`() throws {
        let files = try SourceTree.files().filter { $0.mentions("variable", "getenv", "switchedOff") }
        let names = Set(files.flatMap { Self.names(in: $0.text) })
        #expect(names.count >= 16 && names.isSuperset(of: Self.ofRelay), "\(names.sorted())")
        let program = try SourceTree.text(of: "man/valise.1")
        let relay = try SourceTree.text(of: "man/valise-relay.1")
        let readme = try SourceTree.text(of: "README.md")
        for name in names {
            let page = Self.ofRelay.contains(name) ? relay : program
            #expect(Self.terms(of: page).contains(name), "\(name) is in no manual page")
            #expect(readme.contains("`\(name)`"), "\(name) is not in the README")
        }
    }

    /// The variables that a manual page lists.
    private static func terms(of page: String) -> Set<String> {
        Set(
            page.matches(of: #/(?m)^\.It Ev (.+)$/#).flatMap {
                $0.output.1.split(separator: " , ").map(String.init)
            })
    }

    @Test func `what applies to each command is in each page`() throws {
        let pages = try SourceTree.files(in: "man", types: ["1"])
        #expect(pages.count > 70)
        for page in pages {
            let terms = Self.terms(of: page.text)
            #expect(terms.isSuperset(of: ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "TERM"]), "\(page.path)")
            if page.text.contains("If left out: VALISE_ACCOUNT") {
                #expect(terms.contains("VALISE_ACCOUNT"), "\(page.path)")
            }
        }
    }
}
