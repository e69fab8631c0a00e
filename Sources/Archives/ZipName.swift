/// The rules for names: valid on POSIX and on Windows, so that an archive goes to any machine.
public enum ZipName {
    private static let devices: Set<String> = {
        var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
        for digit in "0123456789¹²³" {
            names.insert("com\(digit)")
            names.insert("lpt\(digit)")
        }
        return names
    }()

    /// The most bytes of one component, as file systems have it.
    public static let longestComponent = 255

    /// Checks the path of an entry.
    ///
    /// - Parameter bytes: the path without a slash at its end.
    /// - Returns: the path as text.
    /// - Throws: ``ZipError`` with the rule that is broken.
    public static func check(_ bytes: [UInt8]) throws(ZipError) -> String {
        guard !bytes.isEmpty else { throw .unsupported(.nameEmpty, "an entry has no name") }
        func refuse(_ defect: ZipError.Defect, _ reason: String) -> ZipError {
            .unsupported(
                defect, "the name is refused: \(reason)",
                entry: String(decoding: bytes, as: UTF8.self).escaped)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw refuse(.nameNotUTF8, "it is not UTF-8")
        }
        guard bytes.first != UInt8(ascii: "/") else { throw refuse(.nameAbsolute, "it is absolute") }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw refuse(.nameBackslash, "it has a backslash, a folder separator on Windows")
        }
        if bytes.count >= 2, bytes[1] == UInt8(ascii: ":") {
            throw refuse(.nameDrive, "it starts with a drive letter")
        }
        // By scalars: a combining mark behind a slash makes one character of both, which is not "/" then, but
        // the file system still takes the slash for one.
        for scalars in name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false) {
            let component = Substring(scalars)
            if let (defect, reason) = fault(ofComponent: component) { throw refuse(defect, reason) }
        }
        return name
    }

    /// What is wrong with one component, or nil.
    public static func fault(ofComponent component: some StringProtocol) -> (ZipError.Defect, String)? {
        // By scalars throughout: that is how file systems see names.
        let scalars = Array(component.unicodeScalars)
        if scalars.isEmpty { return (.nameEmptyComponent, "it has an empty component") }
        if scalars == [".", "."] { return (.nameParent, "it leads out of the folder with '..'") }
        if scalars == ["."] { return (.nameDot, "it has the component '.'") }
        if scalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
            return (.nameControl, "it has a control character")
        }
        if scalars.contains("\\") { return (.nameBackslash, "it has a backslash") }
        if scalars.contains(where: { "<>:\"|?*".unicodeScalars.contains($0) }) {
            return (.nameReserved, "it has one of < > : \" | ? *, which Windows reserves")
        }
        if scalars.last == "." || scalars.last == " " {
            return (.nameTrailing, "it ends with a dot or a space, which Windows drops")
        }
        if component.utf8.count > longestComponent {
            return (.nameTooLong, "a component is longer than \(longestComponent) bytes")
        }
        // Windows also drops the spaces before the first dot.
        var stem = scalars.prefix { $0 != "." }
        while stem.last == " " { stem.removeLast() }
        if devices.contains(String(String.UnicodeScalarView(stem)).lowercased()) {
            return (.nameDevice, "it is a device on Windows")
        }
        return nil
    }
}

extension String {
    /// Control characters made visible, so that a hostile name cannot write to the terminal.
    var escaped: String {
        // Of those behind 127 the first byte is C2; most names have none.
        guard utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == 0xc2 }) else { return self }
        return unicodeScalars.map { scalar in
            scalar.value < 32 || (127...159).contains(scalar.value)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }
}
