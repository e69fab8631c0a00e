import ValiseFailures

/// The rules for names: valid on POSIX and on Windows, so that an archive goes to any machine.
package enum ZipName {
    private static let devices: Set<String> = {
        var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
        for digit in "0123456789¹²³" {
            names.insert("com\(digit)")
            names.insert("lpt\(digit)")
        }
        return names
    }()
    /// Of their names, in bytes.
    private static let deviceLengths = 3...8

    /// The most bytes of one component, as file systems have it.
    package static let longestComponent = 255
    /// The most bytes of a path, as Linux has it.
    package static let longestPath = 4096
    /// The most components of a path: who has a folder in a folder needs two or three.
    package static let mostComponents = 64

    /// Checks the path of an entry.
    ///
    /// - Parameter bytes: the path without a slash at its end.
    /// - Returns: the path as text.
    /// - Throws: ``ZipError`` with the rule that is broken.
    package static func check(_ bytes: [UInt8]) throws(ZipError) -> String {
        guard !bytes.isEmpty else { throw .unsupported(.nameEmpty, "entry without a name") }
        func refuse(_ defect: ZipError.Defect, _ reason: String) -> ZipError {
            .unsupported(
                defect, "unsafe name: \(reason)",
                entry: String(decoding: bytes, as: UTF8.self).escaped)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw refuse(.nameNotUTF8, "not UTF-8")
        }
        guard bytes.first != UInt8(ascii: "/") else { throw refuse(.nameAbsolute, "absolute path") }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw refuse(.nameBackslash, "contains a backslash, a folder separator on Windows")
        }
        if bytes.count >= 2, bytes[1] == UInt8(ascii: ":") {
            throw refuse(.nameDrive, "starts with a drive letter")
        }
        guard bytes.count <= longestPath else {
            throw refuse(.nameTooLong, "longer than \(longestPath) bytes")
        }
        // By bytes, as the file system sees a slash: a combining mark behind it makes one character of both.
        var components = 0
        for component in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            components += 1
            guard components <= mostComponents else {
                throw refuse(.nameTooDeep, "more than \(mostComponents) components")
            }
            if let (defect, reason) = unsafe component.withUnsafeBytes({ unsafe fault(of: $0) }) {
                throw refuse(defect, reason)
            }
        }
        return name
    }

    /// What is wrong with one component, or nil.
    package static func fault(ofComponent component: some StringProtocol) -> (ZipError.Defect, String)? {
        var text = String(component)
        return text.withUTF8 { unsafe fault(of: UnsafeRawBufferPointer($0)) }
    }

    /// By bytes throughout, in one pass: names may be most of an archive. All that is looked for is ASCII.
    private static func fault(of component: UnsafeRawBufferPointer) -> (ZipError.Defect, String)? {
        guard let last = unsafe component.last else {
            return (.nameEmptyComponent, "contains an empty component")
        }
        let dot = UInt8(ascii: ".")
        if component.count == 2, unsafe component[0] == dot, last == dot {
            return (.nameParent, "leads out of the folder with '..'")
        }
        if component.count == 1, last == dot { return (.nameDot, "contains the component '.'") }
        // A control character counts before the others, wherever it is.
        var reserved: UInt8?
        var hasBackslash = false
        for index in component.indices {
            let byte = unsafe component[index]
            switch byte {
            case 0..<32, 127: return (.nameControl, "contains a control character")
            case UInt8(ascii: "\\"): hasBackslash = true
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ":"), UInt8(ascii: "\""),
                UInt8(ascii: "|"), UInt8(ascii: "?"), UInt8(ascii: "*"):
                reserved = byte
            default: break
            }
        }
        if hasBackslash { return (.nameBackslash, "contains a backslash") }
        if reserved != nil {
            return (.nameReserved, "contains one of < > : \" | ? *, reserved on Windows")
        }
        if last == dot || last == UInt8(ascii: " ") {
            return (.nameTrailing, "ends with a dot or a space, which Windows drops")
        }
        if component.count > longestComponent {
            return (.nameTooLong, "a component longer than \(longestComponent) bytes")
        }
        return unsafe isDevice(component) ? (.nameDevice, "device name on Windows") : nil
    }

    private static func isDevice(_ component: UnsafeRawBufferPointer) -> Bool {
        // Windows also drops the spaces before the first dot.
        var stem = unsafe component.prefix { $0 != UInt8(ascii: ".") }
        while unsafe stem.last == UInt8(ascii: " ") { unsafe stem.removeLast() }
        guard unsafe deviceLengths.contains(stem.count) else { return false }
        return unsafe devices.contains(String(decoding: stem, as: UTF8.self).lowercased())
    }
}

extension String {
    /// Control characters made visible, so that a hostile name cannot write to the terminal.
    var escaped: String { replacingControls { "\\u{\(String($0.value, radix: 16))}" } }
}
