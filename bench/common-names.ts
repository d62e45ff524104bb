/**
 * A thousand common names from no list: ten first names and ten family names each of ten languages, combined. They are
 * put together from the commonest of their languages; whoever bears one of them is not meant.
 */
const languages: readonly (readonly [first: string, last: string])[] = [
  [
    'Anna Lukas Sophie Jonas Lena Felix Katharina Stefan Petra Jürgen',
    'Müller Schmidt Schneider Fischer Weber Wagner Becker Hoffmann Schäfer Krüger',
  ],
  [
    'James Mary Robert Patricia Michael Linda David Susan William Karen',
    'Smith Johnson Williams Brown Jones Davis Wilson Taylor Clark Walker',
  ],
  [
    'José María Juan Carmen Luis Ana Carlos Lucía Miguel Pilar',
    'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Ruiz',
  ],
  [
    'Jean Marie Pierre Nathalie Michel Isabelle Philippe Sylvie Nicolas Céline',
    'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau',
  ],
  [
    'Ivan Olga Sergey Tatiana Dmitry Elena Alexey Natalia Andrey Irina',
    'Ivanov Petrov Smirnov Kuznetsov Popov Vasiliev Sokolov Mikhailov Novikov Fedorov',
  ],
  [
    'Mohammed Fatima Ahmed Aisha Ali Khadija Hassan Zainab Omar Maryam',
    'Hassan Ali Ibrahim Khalil Mansour Haddad Nasser Saleh Youssef Hamdan',
  ],
  [
    'Mehmet Fatma Mustafa Ayşe Ahmet Emine Hüseyin Zeynep Murat Elif',
    'Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Arslan Doğan',
  ],
  [
    'Reza Maryam Ali Zahra Hossein Leila Mehdi Sara Hamid Nasrin',
    'Mohammadi Hosseini Ahmadi Karimi Rezaei Jafari Rahimi Hashemi Sadeghi Moradi',
  ],
  ['Wei Fang Li Min Jing Lei Qiang Yan Jun Xiu', 'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou'],
  [
    'Piotr Anna Krzysztof Katarzyna Andrzej Małgorzata Tomasz Agnieszka Paweł Ewa',
    'Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak',
  ],
]

/** One list of a hundred names per language. */
export const commonNames: readonly (readonly string[])[] = languages.map(([first, last]) =>
  first.split(' ').flatMap((given) => last.split(' ').map((family) => `${given} ${family}`)),
)
