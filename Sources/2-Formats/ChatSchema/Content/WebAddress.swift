/// What a word is that looks like an address.
enum WebAddress {
    private typealias Piece = FormattedTextParser.Piece

    /// The shortest word that begins with a scheme.
    private static let shortestWithScheme = 10
    private static let schemes = ["http://", "https://", "simplex:/"]

    /// - Parameter word: without white space, and without punctuation at its end.
    /// - Returns: nil where it is none.
    static func format(of word: ArraySlice<Unicode.Scalar>) -> TextFormat? {
        if word.count >= shortestWithScheme, schemes.contains(where: { word.starts(with: $0.unicodeScalars) })
        {
            if SimplexAddress(word) != nil {
                return .simplexLink(name: nil, address: FormattedTextParser.text(word))
            }
            return isLink(word) ? .link : nil
        }
        if isWithoutScheme(word) { return .link }
        return isEmail(word) ? .email : nil
    }

    /// Whether it is an address of the web with a dot in its host.
    static func isLink(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let rest = word.after("http://") ?? word.after("https://") else { return false }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let start = authority.lastIndex(of: "@").map { $0 + 1 } ?? authority.startIndex
        let (name, port) = authority[start...].splitOnce(at: ":")
        guard name.contains("."), name.first != ".", name.last != ".", port?.allSatisfy(\.isDigit) != false
        else {
            return false
        }
        return rest.allSatisfy { !$0.isSpace && !isForbidden($0) }
    }

    /// What no address has unless it is encoded.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", "\"", "\\", "^", "`", "{", "|", "}": true
        default: false
        }
    }

    /// `name.tld` or `sub.name.tld`.
    private static func isWithoutScheme(_ word: Piece) -> Bool {
        guard let last = word.lastIndex(of: "."), (2...8).contains(word.endIndex - last - 1),
            word[(last + 1)...].allSatisfy(\.isLetter)
        else { return false }
        let rest = word[..<last]
        let dot = rest.lastIndex(of: ".")
        let name = dot.map { rest[($0 + 1)...] } ?? rest
        guard (1...24).contains(name.count), name.allSatisfy(\.isLetter) else { return false }
        guard let dot else { return true }
        return (3...8).contains(dot - word.startIndex) && !word[..<dot].contains(".")
    }

    private static func isEmail(_ word: Piece) -> Bool {
        guard let at = word.firstIndex(of: "@") else { return false }
        let (local, host) = (word[..<at], word[(at + 1)...])
        guard areAtoms(local, isOfLocalPart), areAtoms(host, { $0.isLetter || $0.isDigit || $0 == "-" })
        else {
            return false
        }
        // No label begins or ends with a hyphen.
        for place in host.indices where host[place] == "-" {
            let (before, after) = (place - 1, place + 1)
            if before < host.startIndex || host[before] == "." || after == host.endIndex || host[after] == "."
            {
                return false
            }
        }
        return true
    }

    private static func isOfLocalPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}", "~":
            true
        default: scalar.isLetter || scalar.isDigit
        }
    }

    /// Pieces between periods, none of them empty.
    private static func areAtoms(_ piece: Piece, _ isPart: (Unicode.Scalar) -> Bool) -> Bool {
        var isEmpty = true
        for scalar in piece {
            if scalar == "." {
                if isEmpty { return false }
                isEmpty = true
            } else if isPart(scalar) {
                isEmpty = false
            } else {
                return false
            }
        }
        return !isEmpty
    }
}

/// A link of SimpleX, by its form alone.
enum SimplexAddress {
    case short, full

    private static let fullKinds = ["contact", "invitation", "group"]
    private static let shortKinds = ["a", "i", "g", "c", "r"]

    init?(_ address: ArraySlice<Unicode.Scalar>) {
        let rest: ArraySlice<Unicode.Scalar>
        if let path = address.after("simplex:/") {
            rest = path
        } else if let path = address.after("https://") {
            rest = path.drop { $0 != "/" }.dropFirst()
        } else {
            return nil
        }
        let (path, parameters) = rest.splitOnce(at: "#")
        guard let parameters, !parameters.isEmpty else { return nil }
        let kind = path.last == "/" ? path.dropLast() : path
        func isOne(of kinds: [String]) -> Bool { kinds.contains { kind.elementsEqual($0.unicodeScalars) } }
        if isOne(of: Self.fullKinds), parameters.after("/?") != nil {
            self = .full
        } else if isOne(of: Self.shortKinds) {
            self = .short
        } else {
            return nil
        }
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// What follows a beginning; nil where there is another one.
    func after(_ beginning: String) -> Self? {
        starts(with: beginning.unicodeScalars) ? dropFirst(beginning.unicodeScalars.count) : nil
    }

    /// What comes before a separator and after it; nil where there is none.
    func splitOnce(at separator: Unicode.Scalar) -> (Self, Self?) {
        guard let place = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<place], self[(place + 1)...])
    }
}
