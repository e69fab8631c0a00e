import Logging

extension Logger.MetadataValue {
    /// What a log gets of a failure: its text, but for names of chunks and recipients. Whoever reads a log should not be able to
    /// fetch, or to tell who fetched what.
    ///
    /// Failures of files and of servers have the names of bodies in their paths, so all text is looked through, wherever it is from.
    static func failure(_ error: any Error) -> Self { .string(LogText.withoutNames("\(error)")) }
}

/// Texts for logs.
enum LogText {
    /// In characters. Names have 16 bytes: 22 characters of base64url, or more of anything longer.
    private static let shortestName = 22
    private static let placeholder = "<name>"

    /// - Returns: the text, with a placeholder for each word that has the characters and the length of a name, as base64url
    ///   or as hexadecimal digits.
    static func withoutNames(_ text: String) -> String {
        var result = ""
        var word = ""
        for scalar in text.unicodeScalars {
            if isOfName(scalar) {
                word.unicodeScalars.append(scalar)
            } else {
                // Padding belongs to the name.
                if scalar == "=", word.unicodeScalars.count >= shortestName { continue }
                finish(&word, &result)
                result.unicodeScalars.append(scalar)
            }
        }
        finish(&word, &result)
        return result
    }

    private static func finish(_ word: inout String, _ result: inout String) {
        result += word.unicodeScalars.count < shortestName ? word : placeholder
        word = ""
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
