/// Which entries of an archive are meant: a shell's pattern with `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before what stands
/// for itself.
///
/// It is compared with the whole path, in which nothing but a slash means a slash; one without a slash is compared with
/// the last component. A name always means itself, even where it has brackets. Names are compared by scalars, whatever
/// locale the program runs in, and time grows with the product of both lengths at most.
package struct EntryPattern: Sendable {
    let text: String
    private let components: [[Element]]

    private enum Element: Sendable {
        case anything
        case one(Scalars)
    }

    /// What one scalar may be.
    private struct Scalars: Sendable {
        var isNegated = false
        var ranges: [ClosedRange<Unicode.Scalar>] = []

        static let all = Scalars(isNegated: true)

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    /// - Parameter text: any text is a pattern.
    package init(_ text: String) {
        self.text = text
        components = Self.split(text).map(Self.elements)
    }

    /// By scalars, as the file system sees a slash.
    private static func split(_ path: String) -> [Substring.UnicodeScalarView] {
        Substring(path).unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Whether an entry is meant.
    /// - Parameter name: its path.
    package func matches(_ name: String) -> Bool {
        if name.utf8.elementsEqual(text.utf8) { return true }
        var parts = Self.split(name)
        if components.count == 1, let last = parts.last {
            if last.elementsEqual(text.unicodeScalars) { return true }
            parts = [last]
        }
        return parts.count == components.count
            && zip(components, parts).allSatisfy { Self.matches($0, Array($1)) }
    }

    /// Each star takes as little as it can, and more when what follows does not fit: the last one alone has to be tried
    /// again, because what comes before it fits already.
    private static func matches(_ elements: [Element], _ scalars: [Unicode.Scalar]) -> Bool {
        var (position, element) = (0, 0)
        var star: (element: Int, position: Int)?
        while position < scalars.count || element < elements.count {
            if element < elements.count {
                switch elements[element] {
                case .anything:
                    star = (element, position)
                    element += 1
                    continue
                case .one(let set):
                    if position < scalars.count, set.contains(scalars[position]) {
                        position += 1
                        element += 1
                        continue
                    }
                }
            }
            guard let last = star, last.position < scalars.count else { return false }
            star = (last.element, last.position + 1)
            (position, element) = (last.position + 1, last.element + 1)
        }
        return true
    }

    // MARK: Reading the pattern

    private static func elements(_ text: Substring.UnicodeScalarView) -> [Element] {
        var rest = text
        var elements: [Element] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.anything)
            case "?": elements.append(.one(.all))
            case "[":
                if let set = set(&rest) {
                    elements.append(.one(set))
                } else {
                    elements.append(.one(Scalars(ranges: ["["..."["])))
                }
            default:
                let literal = scalar == "\\" ? rest.popFirst() ?? scalar : scalar
                elements.append(.one(Scalars(ranges: [literal...literal])))
            }
        }
        return elements
    }

    /// - Parameter rest: what follows the bracket; moved behind the other one where that is there.
    /// - Returns: nil where the bracket is not closed, and so stands for itself.
    private static func set(_ rest: inout Substring.UnicodeScalarView) -> Scalars? {
        var text = rest
        var set = Scalars()
        if let first = text.first, "!^".unicodeScalars.contains(first) {
            set.isNegated = true
            text.removeFirst()
        }
        // A bracket that comes first is one of the set.
        var isFirst = true
        while let low = text.popFirst() {
            if low == "]", !isFirst {
                rest = text
                return set
            }
            isFirst = false
            var high = low
            if text.first == "-", let end = text.dropFirst().first, end != "]" {
                high = end
                text.removeFirst(2)
            }
            if low <= high { set.ranges.append(low...high) }
        }
        return nil
    }
}
