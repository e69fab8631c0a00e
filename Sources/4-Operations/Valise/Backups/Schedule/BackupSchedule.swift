/// Files that make the system run backups.
package struct BackupSchedule: OperationReport {
    /// A file.
    package struct File: Encodable, Sendable {
        package let name: String
        /// Its content.
        package let text: String
        /// Where it was written; nil for nowhere.
        package var path: String?

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    package let format: String
    package var files: [File]
    /// Where the system looks for them.
    package let place: String
    /// The commands that make the system run them, once they are there.
    package let enable: [String]

    init(_ form: ScheduleBackups.Form, _ files: [File], place: String, enable: [String]) {
        format = form.rawValue
        self.files = files
        self.place = place
        self.enable = enable
    }

    /// The files one after the other, or where they were written.
    package var text: String {
        if files.allSatisfy({ $0.path != nil }) {
            return
                (files.compactMap { $0.path.map { "wrote \($0)" } } + ["to enable:"]
                + enable.map { "  \($0)" })
                .joined(separator: "\n")
        }
        let texts = files.map { file in
            files.count > 1 ? "# \(place)/\(file.name)\n\(file.text)" : file.text
        }
        return texts.joined(separator: "\n")
    }
}
