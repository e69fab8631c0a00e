/// What a metric is.
package enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}

/// The labels of a series.
package struct MetricLabels: Hashable, Comparable, Sendable {
    private let pairs: [[String]]

    package init(_ dimensions: [(String, String)] = []) {
        pairs = dimensions.map { [MetricText.name($0.0), $0.1] }
    }

    private init(pairs: [[String]]) { self.pairs = pairs }

    func adding(_ name: String, _ value: String) -> MetricLabels {
        MetricLabels(pairs: pairs + [[name, value]])
    }

    package static func < (one: MetricLabels, other: MetricLabels) -> Bool {
        one.pairs.lexicographicallyPrecedes(other.pairs) { $0.lexicographicallyPrecedes($1) }
    }

    /// Nothing for none.
    var text: String {
        guard !pairs.isEmpty else { return "" }
        return "{\(pairs.map { "\($0[0])=\"\(Self.escaped($0[1]))\"" }.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// The text format of Prometheus, version 0.0.4, while it is written.
package struct MetricText: Sendable {
    /// What it is served as.
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Begins a metric. All its values follow, before the next one.
    package mutating func begin(_ name: String, _ kind: MetricKind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    package mutating func add(_ name: String, _ labels: MetricLabels, _ value: Double) {
        text += "\(name)\(labels.text) \(Self.number(value))\n"
    }

    /// A metric with one value.
    package mutating func add(_ name: String, _ kind: MetricKind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        add(name, MetricLabels(), value)
    }

    /// As short as it may be.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// A name that the format allows.
    static func name(_ text: String) -> String {
        let name = text.unicodeScalars.map { isOfName($0) ? Character($0) : "_" }
        let isDigit = name.first.map { ("0"..."9").contains($0) } ?? true
        return (isDigit ? "_" : "") + String(name)
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_": true
        default: false
        }
    }
}
